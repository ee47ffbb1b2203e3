package org.opensearch.protobufs;

/** See {@code QueryBuilderProtoConverter}. */
public final class QueryContainer {
    /** Named in the signature of a method. */
    public enum QueryContainerCase { NONE }
}

package org.opensearch.transport.grpc.spi;

/** See {@code QueryBuilderProtoConverter}. */
public interface QueryBuilderProtoConverterRegistry {}

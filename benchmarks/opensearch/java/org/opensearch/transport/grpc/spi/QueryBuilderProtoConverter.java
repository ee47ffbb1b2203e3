package org.opensearch.transport.grpc.spi;

/** Named by k-NN, which links it when it starts; its own library is not published, and no gRPC server runs here. */
public interface QueryBuilderProtoConverter {}

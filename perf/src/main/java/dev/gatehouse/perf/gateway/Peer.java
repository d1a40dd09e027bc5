package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.ServerProcess;

/** Another gateway at the same work, and its ports: without TLS, with an RSA certificate, and with a P-256 one. */
public interface Peer extends AutoCloseable {

  ServerProcess process();

  int http();

  int rsa();

  int p256();

  @Override
  default void close() {
    process().close();
  }
}

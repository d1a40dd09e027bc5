package dev.gatehouse.gateway.policy;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;

/** Before there is a request: what does not depend on one does not ask. */
enum UnknownRequestFacts implements RequestAttributes {
  YET;

  private static IllegalStateException asked() {
    return new IllegalStateException("a condition that asks for the request was taken for one that does not");
  }

  @Override
  public String method() {
    throw asked();
  }

  @Override
  public String host() {
    throw asked();
  }

  @Override
  public String path() {
    throw asked();
  }

  @Override
  public InetAddress client() {
    throw asked();
  }

  @Override
  public Instant now() {
    throw asked();
  }

  @Override
  public Optional<String> variable(String name) {
    throw asked();
  }
}

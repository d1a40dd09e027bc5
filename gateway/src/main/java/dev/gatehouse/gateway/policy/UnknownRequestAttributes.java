package dev.gatehouse.gateway.policy;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;

/** Stands for the request in evaluations that must not depend on it; every access is an error. */
enum UnknownRequestAttributes implements RequestAttributes {
  YET;

  private static IllegalStateException unexpectedAccess() {
    return new IllegalStateException("a condition that depends on the request was taken for one that does not");
  }

  @Override
  public String method() {
    throw unexpectedAccess();
  }

  @Override
  public String host() {
    throw unexpectedAccess();
  }

  @Override
  public String path() {
    throw unexpectedAccess();
  }

  @Override
  public InetAddress client() {
    throw unexpectedAccess();
  }

  @Override
  public Instant now() {
    throw unexpectedAccess();
  }

  @Override
  public Optional<String> variable(String name) {
    throw unexpectedAccess();
  }
}

package dev.gatehouse.idp.endpoint;

import java.util.Set;

/**
 * One address in every realm.
 *
 * @param path below {@code /realms/{realm}/}; empty for the realm itself
 * @param methods GET includes HEAD
 * @param maxBodyBytes larger bodies are refused with 413 before they are read
 */
public record Route(String path, Set<String> methods, int maxBodyBytes, Endpoint endpoint) {

  /** Enough for any of our forms; a password may have 1,024 bytes. */
  public static final int FORM_BYTES = 64 * 1024;

  /** Enough for a SAML message by POST. */
  public static final int MESSAGE_BYTES = 512 * 1024;

  public static Route get(String path, Endpoint endpoint) {
    return new Route(path, Set.of("GET"), 0, endpoint);
  }

  public static Route form(String path, Endpoint endpoint) {
    return new Route(path, Set.of("GET", "POST"), FORM_BYTES, endpoint);
  }

  public static Route post(String path, Endpoint endpoint) {
    return new Route(path, Set.of("POST"), FORM_BYTES, endpoint);
  }

  public static Route message(String path, Endpoint endpoint) {
    return new Route(path, Set.of("GET", "POST"), MESSAGE_BYTES, endpoint);
  }

  /** Accepts a SAML message by SOAP. */
  public static Route soap(String path, Endpoint endpoint) {
    return new Route(path, Set.of("POST"), MESSAGE_BYTES, endpoint);
  }
}

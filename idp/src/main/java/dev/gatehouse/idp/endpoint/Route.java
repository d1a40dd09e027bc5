package dev.gatehouse.idp.endpoint;

import java.util.Set;

/**
 * One address of every realm.
 *
 * @param path below {@code /realms/{realm}/}; empty for the realm itself
 * @param methods GET stands for HEAD too
 * @param mostBodyBytes larger bodies are refused with 413 before anything looks at them
 */
public record Route(String path, Set<String> methods, int mostBodyBytes, Endpoint endpoint) {

  /** Enough for any form of ours; a password may have 1,024 bytes. */
  public static final int FORM_BYTES = 64 * 1024;

  /** A SAML message by POST. */
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

  /** A SAML message by SOAP. */
  public static Route soap(String path, Endpoint endpoint) {
    return new Route(path, Set.of("POST"), MESSAGE_BYTES, endpoint);
  }
}

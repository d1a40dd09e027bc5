package dev.gatehouse.common.saml;

import java.util.Optional;

/** Bindings (SAML Bindings 3). */
public enum Binding {
  REDIRECT("urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"),
  POST("urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"),
  ARTIFACT("urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact"),
  SOAP("urn:oasis:names:tc:SAML:2.0:bindings:SOAP");

  private final String uri;

  Binding(String uri) {
    this.uri = uri;
  }

  public String uri() {
    return uri;
  }

  public static Optional<Binding> ofUri(String uri) {
    for (Binding binding : values()) {
      if (binding.uri.equals(uri)) {
        return Optional.of(binding);
      }
    }
    return Optional.empty();
  }
}

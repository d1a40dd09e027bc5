package dev.gatehouse.sp.oidc;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;

/** Adds our parameters to the URLs of providers' endpoints; their own query remains (RFC 6749, section 3.1). */
final class Urls {

  private Urls() {}

  static String with(URI endpoint, Map<String, String> parameters) {
    String query =
        parameters.entrySet().stream()
            .map(parameter -> encode(parameter.getKey()) + "=" + encode(parameter.getValue()))
            .collect(Collectors.joining("&"));
    return endpoint + (endpoint.getRawQuery() == null ? "?" : endpoint.getRawQuery().isEmpty() ? "" : "&") + query;
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}

package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Conversion of servlet requests. */
public final class ServletRequests {

  private ServletRequests() {}

  /** Returns the request, with the body as far as it was read. */
  public static EdgeRequest edge(HttpServletRequest servlet, byte[] body) {
    List<Headers.Field> fields = new ArrayList<>();
    for (String name : Collections.list(servlet.getHeaderNames())) {
      if (!name.equalsIgnoreCase("Host")) {
        servlet.getHeaders(name).asIterator().forEachRemaining(value -> fields.add(new Headers.Field(name, value)));
      }
    }
    Origin origin = new Origin(servlet.isSecure() ? "https" : "http", servlet.getServerName(), servlet.getServerPort());
    String query = Optional.ofNullable(servlet.getQueryString()).orElse("");
    return new EdgeRequest(
        servlet.getMethod(), origin, servlet.getRequestURI(), query, Headers.of(fields), body, AdminKeyFilter.client(servlet));
  }
}

package dev.gatehouse.gateway.console;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.CsrfToken;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.gateway.admin.web.AdminRights;
import java.util.Optional;

/** A request of somebody who is logged in to the console; a form in it was checked to be ours. */
public record ConsoleRequest(EdgeRequest http, SessionToken token, AdminRights rights) {

  /** The request attribute with it. */
  public static final String ATTRIBUTE = "gatehouse.console";

  /** The name of all forms of a session for their {@code csrf} field. */
  static final String FORM = "console";

  /** Returns the {@code csrf} field of forms. */
  String csrf() {
    return CsrfToken.of(token, FORM);
  }

  /** Returns a field of the form; empty if it is absent or blank. */
  public Optional<String> field(String name) {
    return http.formParameters().one(name).map(String::strip).filter(value -> !value.isEmpty());
  }

  /** Returns a parameter of the address; empty if it is absent or blank. */
  Optional<String> query(String name) {
    return http.queryParameters().one(name).map(String::strip).filter(value -> !value.isEmpty());
  }
}

package dev.gatehouse.perf.service;

import dev.gatehouse.perf.oauth.Flow;
import java.util.Locale;
import java.util.Optional;

/** The kinds of work whose waiting times are measured. */
enum Work {
  CLIENT_CREDENTIALS_RS256(Flow.CLIENT_CREDENTIALS_RS256),
  CLIENT_CREDENTIALS_ES256(Flow.CLIENT_CREDENTIALS_ES256),
  USERINFO(Flow.USERINFO),
  TOKENINFO(Flow.TOKENINFO),
  INTROSPECTION(Flow.INTROSPECTION),
  REFRESH(Flow.REFRESH),
  PAR(Flow.PAR),
  PASSWORD(Flow.PASSWORD),
  CODE_WITH_SESSION(Flow.CODE_WITH_SESSION),
  CODE_WITH_LOGIN(Flow.CODE_WITH_LOGIN),
  /** A signed Response for somebody who is logged in, RSA-2048. */
  SIGN_ON,
  /** A login by form, from a page of the gateway back to it. */
  FORM_LOGIN,
  /** The same with single logout of SAML, which the gateway begins. */
  FORM_LOGIN_AND_LOGOUT,
  /** A page of 14 KB from the cache, session and role checked. */
  CACHED_PAGE,
  /** A small page from an app. */
  PASS_THROUGH;

  private final Optional<Flow> flow;

  Work() {
    this.flow = Optional.empty();
  }

  Work(Flow flow) {
    this.flow = Optional.of(flow);
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The flow of OAuth that it is, if it is one. */
  Optional<Flow> flow() {
    return flow;
  }

  String closed(int callers) {
    return word() + ", " + callers + " callers";
  }

  String paced(int percent) {
    return word() + ", " + percent + " % load";
  }
}

package dev.gatehouse.perf.nodes;

import java.util.Locale;

/** The rows of the report; each can be measured alone. */
enum Row {
  S1("CPU of a SAML login, page and logout (S1), one and two nodes of each role"),
  SIGN_ON("SAML sign-on with a session"),
  CODE("authorization code with a session"),
  REFRESH("refresh"),
  CLIENT_CREDENTIALS("client credentials"),
  PAGE("protected page from a near cache"),
  SESSIONS("bytes of a session in Valkey"),
  GAP("gap in service"),
  S1_COLUMNS("columns 2+2 of S1"),
  S2("cluster rows of S2, with and without stickiness"),
  S4_S5("S4 and S5 by number of gateways");

  private final String title;

  Row(String title) {
    this.title = title;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String title() {
    return title;
  }

  /** Whether embedded and shared storage are compared at one node. */
  boolean isPair() {
    return switch (this) {
      case SIGN_ON, CODE, REFRESH, CLIENT_CREDENTIALS, PAGE -> true;
      case S1, SESSIONS, GAP, S1_COLUMNS, S2, S4_S5 -> false;
    };
  }

  /** The lowest wanted rate with shared storage, in that with embedded storage. */
  double wanted() {
    return switch (this) {
      case SIGN_ON -> 0.7;
      case CODE -> 0.6;
      case REFRESH -> 0.5;
      case CLIENT_CREDENTIALS -> 0.95;
      case PAGE -> 0.97;
      case S1, SESSIONS, GAP, S1_COLUMNS, S2, S4_S5 -> 0;
    };
  }
}

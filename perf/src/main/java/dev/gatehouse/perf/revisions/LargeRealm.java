package dev.gatehouse.perf.revisions;

/**
 * The realm of many partners and routes.
 *
 * @param app the origin of the app behind all routes
 */
record LargeRealm(int partners, int routes, int port, String app) {

  /** The path of a route that no change touches. */
  static final String STEADY = "/route0/";

  /** Returns the path of the route that a change adds. */
  static String added(long change) {
    return "/change" + change + "/";
  }

  /** Returns the realm's file after a change; 0 for the first one. */
  String text(long change) {
    StringBuilder text = new StringBuilder();
    text.append(
        """
        sp:
          publicUrl: http://127.0.0.1:%d
          identityProvider: https://partner0.example.org
        partners:
        """
            .formatted(port));
    // 10,000 fit into the megabyte that a realm's file may have.
    for (int i = 0; i < partners; i++) {
      text.append("  - {entityId: \"https://partner%d.example.org\", metadata: {url: \"https://partner%d.example.org/m\"}}\n".formatted(i, i));
    }
    text.append("routes:\n");
    for (int i = 0; i < routes; i++) {
      route(text, "/route" + i + "/");
    }
    if (change > 0) {
      route(text, added(change));
    }
    return text.toString();
  }

  private void route(StringBuilder text, String path) {
    text.append("  - {path: ").append(path).append(", upstream: \"").append(app).append("\", access: public}\n");
  }
}

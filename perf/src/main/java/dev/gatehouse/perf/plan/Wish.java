package dev.gatehouse.perf.plan;

/**
 * What an installation has to carry, and on which machines.
 *
 * @param logins logins with a logout each, in a second
 * @param hits requests to protected pages in a second
 * @param sessions people who are logged in at one time
 * @param pageBytes size of a response
 */
record Wish(
    double logins, double hits, double sessions, int pageBytes, boolean cached, Nodes nodes, Storage storage) {

  /** Where the state is. */
  enum Storage {
    EMBEDDED,
    SHARED
  }

  /**
   * @param utilisation the share of a machine's CPU that is planned to be used at the peak
   * @param spare nodes of each role that may be missing
   */
  record Nodes(int cores, double utilisation, int spare) {
    Nodes {
      if (utilisation <= 0 || utilisation > 1) {
        throw new IllegalArgumentException("utilisation is " + utilisation + ", not above 0 and at most 1");
      }
      if (cores < 1 || spare < 0) {
        throw new IllegalArgumentException("a node has at least 1 core, and no fewer than 0 nodes are spare");
      }
    }
  }
}

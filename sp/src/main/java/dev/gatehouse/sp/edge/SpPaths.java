package dev.gatehouse.sp.edge;

/** The paths of the service provider on a protected host. */
public final class SpPaths {

  /** The prefix of all our paths on a protected host. */
  public static final String PREFIX = "/.gatehouse/";

  /** The path at which a person confirms that a saved POST is to be repeated. */
  public static final String REPLAY = PREFIX + "replay";

  private SpPaths() {}
}

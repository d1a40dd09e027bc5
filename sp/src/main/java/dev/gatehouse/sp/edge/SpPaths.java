package dev.gatehouse.sp.edge;

/** The paths of the service provider on a protected host, and its cookie. */
public final class SpPaths {

  /** The prefix of all our paths on a protected host. */
  public static final String PREFIX = "/.gatehouse/";

  /** The path at which a person confirms that a saved POST is to be repeated. */
  public static final String REPLAY = PREFIX + "replay";

  /** The name of the cookie with the AppSession's token, without the prefix {@code __Host-}. */
  public static final String COOKIE = "gh_app";

  private SpPaths() {}
}

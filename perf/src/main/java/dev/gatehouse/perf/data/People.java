package dev.gatehouse.perf.data;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The people of a generated directory: person {@code n} of {@code 1..N} always has the same name, password,
 * organizational unit and group, so that load generators need no file.
 */
public final class People {

  /** The structure of the published reports: inetOrgPerson entries in 10 organizational units with 10 groups. */
  public static final int UNITS = 10;

  public static final int GROUPS = 10;

  public static final String SUFFIX = "dc=example,dc=com";

  /** The number of people of one virtual user. */
  public static final int PER_USER = 50;

  private People() {}

  public static String name(int n) {
    return String.format(Locale.ROOT, "u%07d", n);
  }

  public static String password(int n) {
    return "pw-" + n;
  }

  public static String unit(int n) {
    return "unit" + n % UNITS;
  }

  /** Distributed so that every unit has people of every group. */
  public static String group(int n) {
    return "group" + n / UNITS % GROUPS;
  }

  public static String dn(int n) {
    return "uid=" + name(n) + ",ou=" + unit(n) + ",ou=people," + SUFFIX;
  }

  /**
   * The people of one virtual user: each has its own, few enough that every server knows all of them after the warm-up.
   *
   * @param user from 0
   */
  public static List<Integer> ofUser(int user) {
    return IntStream.rangeClosed(1, PER_USER).map(n -> user * PER_USER + n).boxed().toList();
  }
}

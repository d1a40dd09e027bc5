package dev.gatehouse.common.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The names of the key spaces in use. */
public final class KeySpaces {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  private final Set<String> claimed = ConcurrentHashMap.newKeySet();

  /**
   * Claims a name.
   *
   * @throws IllegalArgumentException if the name has another shape
   * @throws IllegalStateException if the name was claimed before
   */
  public void claim(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("Not a name of a key space: " + name);
    }
    if (!claimed.add(name)) {
      throw new IllegalStateException("The key space was asked for before: " + name);
    }
  }
}

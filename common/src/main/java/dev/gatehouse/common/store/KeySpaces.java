package dev.gatehouse.common.store;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The names of key spaces that were given out. */
final class KeySpaces {

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,39}");

  private final Set<String> claimed = ConcurrentHashMap.newKeySet();

  /** Throws {@link IllegalArgumentException} for a name of another shape, {@link IllegalStateException} for a second time. */
  void claim(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("Not a name of a key space: " + name);
    }
    if (!claimed.add(name)) {
      throw new IllegalStateException("The key space was asked for before: " + name);
    }
  }
}

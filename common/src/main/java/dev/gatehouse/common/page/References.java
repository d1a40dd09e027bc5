package dev.gatehouse.common.page;

import java.util.random.RandomGenerator;

/** Creates the reference ids in error pages and logs: 10 characters without look-alikes. */
public final class References {

  private static final String ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz";

  private References() {}

  public static String create(RandomGenerator random) {
    StringBuilder id = new StringBuilder(10);
    for (int i = 0; i < 10; i++) {
      id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return id.toString();
  }
}

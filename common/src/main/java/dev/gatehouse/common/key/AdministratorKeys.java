package dev.gatehouse.common.key;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Keys for administrators' access to the REST interface, in {@code data/keys/administrators}. */
public final class AdministratorKeys extends NamedKeys {

  public static final String PREFIX = "gha_";

  static final String NAME = "administrators";

  /**
   * Opens the list of keys.
   *
   * @param data the node's data directory
   * @param random a SecureRandom outside tests
   */
  public AdministratorKeys(Path data, InstantSource time, RandomGenerator random) {
    super(data, NAME, PREFIX, time, random);
  }
}

package dev.gatehouse.common.key;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Initial access tokens for the registration of OAuth clients (RFC 7591, section 3), in {@code data/keys/registration}. */
public final class RegistrationKeys extends NamedKeys {

  public static final String PREFIX = "ghr_";

  static final String NAME = "registration";

  /**
   * Opens the list of tokens.
   *
   * @param data the node's data directory
   * @param random a SecureRandom outside tests
   */
  public RegistrationKeys(Path data, InstantSource time, RandomGenerator random) {
    this(new FileKeyPlace(data), time, random);
  }

  /** Opens the list of that place. */
  public RegistrationKeys(KeyPlace place, InstantSource time, RandomGenerator random) {
    super(place, NAME, KeyChange.Kind.REGISTRATION, PREFIX, time, random);
  }
}

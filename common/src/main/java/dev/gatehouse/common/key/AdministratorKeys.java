package dev.gatehouse.common.key;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Keys for administrators' access to the REST interface, in {@code data/keys/administrators}. Each has grants, and an end if it was
 * created with one.
 */
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
    this(new FileKeyPlace(data), time, random);
  }

  /** Opens the list of that place. */
  public AdministratorKeys(KeyPlace place, InstantSource time, RandomGenerator random) {
    super(place, NAME, KeyChange.Kind.ADMINISTRATOR, PREFIX, time, random);
  }

  /** Creates a key for everything in all realms, without an end. */
  @Override
  public Creation create(String name) {
    return create(name, List.of(AdministratorGrant.ALL), Optional.empty());
  }

  /**
   * Creates a key under a name that is not in use.
   *
   * @param grants at least one
   * @param expiresAt when the key ends by itself; empty: never
   */
  @Override
  public Creation create(String name, List<AdministratorGrant> grants, Optional<Instant> expiresAt) {
    if (grants.isEmpty()) {
      return new Creation.Refused("a key needs a role");
    }
    return super.create(name, grants.stream().distinct().toList(), expiresAt);
  }
}

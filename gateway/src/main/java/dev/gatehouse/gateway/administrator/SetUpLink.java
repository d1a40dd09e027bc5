package dev.gatehouse.gateway.administrator;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.session.SessionToken;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The link with which the first administrator of a new installation gets the role. A deployment has one, which counts once and for 30
 * minutes; afterwards roles are granted on the host. Its code stands in the fragment, which browsers send to nobody, and is stored
 * as a digest.
 */
public final class SetUpLink {

  /** How long the code counts. */
  public static final Duration LIFE = Duration.ofMinutes(30);

  /** The path of the page that takes the code. */
  public static final String PATH = "/console/set-up";

  private SetUpLink() {}

  /**
   * Returns the link; empty if the deployment has had one, or if a person has a role already.
   *
   * @param random a SecureRandom outside tests
   */
  public static Optional<String> offer(AdminLogin login, AdministratorGrants grants, Instant now, RandomGenerator random) {
    String code = SessionToken.create(random).value();
    return grants.offerSetUp(login.realm(), digest(code), now.plus(LIFE))
        ? Optional.of(login.publicUrl() + PATH + "#" + code)
        : Optional.empty();
  }

  /** Returns the digest of a code: it is 32 random bytes, which a plain digest protects. */
  public static String digest(String code) {
    return Sha256.hex(code);
  }
}

package dev.gatehouse.idp.otp.visit;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Checks passcodes where visitors may come, by RADIUS and by agents: those of our own people here, those of other realms' people at their
 * home. The pages of the identity provider ask {@link PasscodeChecks}: visitors come there by SAML or OpenID Connect.
 */
public final class Visits {

  /** Begins what counts in place of a visitor's token. */
  static final String HOME = "home ";

  final Homes homes;
  final HomeLinks links;
  final SealingKey sealing;
  final VisitRecords records;
  final RandomGenerator random;
  final InstantSource clock;
  private final PasscodeChecks passcodes;

  Visits(
      PasscodeChecks passcodes, Homes homes, HomeLinks links, SealingKey sealing, VisitRecords records, RandomGenerator random,
      InstantSource clock) {
    this.passcodes = passcodes;
    this.homes = homes;
    this.links = links;
    this.sealing = sealing;
    this.records = records;
    this.random = random;
    this.clock = clock;
  }

  /** Returns whether a challenge is one of a visitor's home. */
  public static boolean isOfHome(String reference) {
    return HomeReference.isOne(reference);
  }

  /** Returns whether a passcode counted at the home of a visitor. */
  public static boolean isVisitor(PasscodeResult.Accepted accepted) {
    return accepted.token().startsWith(HOME);
  }

  /**
   * Returns the check of a realm; empty if the realm does not take tokens.
   *
   * @param visitors whether the client takes people of other realms; otherwise no realm is asked about anybody
   */
  public Optional<PasscodeCheck> of(Realm realm, boolean visitors) {
    Optional<PasscodeCheck> own = passcodes.of(realm);
    Optional<OtpTrusts> trusts = realm.parties().otp();
    return own.isPresent() && trusts.isPresent() ? Optional.of(new VisitorPasscodes(realm, trusts.get(), visitors, own.get(), this)) : own;
  }
}

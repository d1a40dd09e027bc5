package dev.gatehouse.common.admin;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Other realms of one-time passwords that a realm trusts, for its administrators. */
public interface TrustDesk {

  /**
   * A trusted realm.
   *
   * @param name the first of {@code suffixes}
   * @param url below which it is asked
   * @param asked whether it is asked about names without suffix
   * @param told whether it learns that we know a name without suffix
   * @param certificates with one of which it asks
   */
  record TrustView(
      String name,
      List<String> suffixes,
      String url,
      Set<String> roles,
      boolean asked,
      boolean told,
      int perSecond,
      List<TrustCertificate> certificates,
      TrustContact contact) {}

  /**
   * A certificate that is trusted itself, whoever issued it.
   *
   * @param sha256 its fingerprint, hexadecimal
   * @param expiresAt when it ends
   */
  record TrustCertificate(String sha256, Instant expiresAt) {}

  /**
   * What passed between this node and the realm, since the start of the node or a change of the trust.
   *
   * @param paused whether it is not asked at the moment, because it did not answer
   * @param answeredAt its last answer
   * @param questions that it was asked
   * @param askedAt its last question
   * @param asked questions that it asked
   */
  record TrustContact(boolean paused, Optional<Instant> answeredAt, long questions, Optional<Instant> askedAt, long asked) {}

  /**
   * What a test of a trust found.
   *
   * @param works whether visitors can come and go
   * @param ourName the name by which the other realm knows us
   * @param problems what does not work or will not for long, with what to do
   */
  record TrustTest(boolean works, Optional<String> ourName, List<String> problems) {}

  /** Returns the trusted realms; none if the realm trusts none. */
  List<TrustView> list(String realm);

  /** Asks a trusted realm for its document, and whether it trusts us; empty if there is no such one. */
  Optional<TrustTest> test(String realm, String name);
}

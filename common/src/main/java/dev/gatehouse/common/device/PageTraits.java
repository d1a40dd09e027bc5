package dev.gatehouse.common.device;

import dev.gatehouse.common.jose.JwtClaims;
import java.util.HashMap;
import java.util.Map;

/**
 * What the script of our page tells about the device, beside its header fields. The key signs it. It is kept with the public key, as
 * members of our own (RFC 7517, section 4), and compared at each proof: a copy of the browser's files holds the key, too.
 *
 * @param timeZone the name of the time zone; empty if unknown
 * @param hardware the number of processors, which no dock and no update of the browser changes; empty if unknown
 */
record PageTraits(String timeZone, String hardware) {

  private static final String TIME_ZONE = "zoneinfo";
  private static final String HARDWARE = "hardware";
  private static final int MAX_CHARACTERS = 64;

  /** With another time zone it is another device, and not with an update of the browser. */
  private static final int ANOTHER_HARDWARE = 35;

  static PageTraits of(JwtClaims claims) {
    return new PageTraits(bounded(claims.text(TIME_ZONE).orElse("")), bounded(claims.text(HARDWARE).orElse("")));
  }

  static PageTraits of(Map<String, Object> jwk) {
    return new PageTraits(text(jwk, TIME_ZONE), text(jwk, HARDWARE));
  }

  /** Returns the members of a key with these. */
  Map<String, Object> with(Map<String, Object> jwk) {
    Map<String, Object> members = new HashMap<>(jwk);
    if (!timeZone.isEmpty()) {
      members.put(TIME_ZONE, timeZone);
    }
    if (!hardware.isEmpty()) {
      members.put(HARDWARE, hardware);
    }
    return members;
  }

  /**
   * Returns how much another device differs from this one, in the points of {@link Fingerprint#difference}. Our script always tells the
   * hardware: a proof that leaves it out has other hardware, if the registration told one.
   */
  int difference(PageTraits other) {
    boolean sameZone = timeZone.isEmpty() || other.timeZone.isEmpty() || timeZone.equals(other.timeZone);
    boolean sameHardware = hardware.isEmpty() || hardware.equals(other.hardware);
    return (sameZone ? 0 : Fingerprint.ANOTHER_TIME_ZONE) + (sameHardware ? 0 : ANOTHER_HARDWARE);
  }

  private static String text(Map<String, Object> jwk, String member) {
    return jwk.get(member) instanceof String value ? value : "";
  }

  private static String bounded(String text) {
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS);
  }
}

package dev.gatehouse.gateway.admin.partner;

import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The result of a test of a partner, which changed nothing. */
@Schema(name = "PartnerTest")
public record PartnerTestView(
    @Schema(description = "Its entity ID") String partner,
    Instant testedAt,
    @Schema(description = "The worst of the checks", allowableValues = {"passed", "warning", "failed"}) String verdict,
    List<CheckView> checks) {

  /** A verdict, from the best to the worst. */
  enum Verdict {
    PASSED,
    /** It could not be checked from here. */
    SKIPPED,
    WARNING,
    FAILED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A check. */
  @Schema(name = "PartnerCheck")
  public record CheckView(
      @Schema(allowableValues = {"metadata", "signature", "validity", "certificate", "endpoint", "clock"}) String check,
      @Schema(description = "What was checked: an address, a certificate") String subject,
      @Schema(description = "skipped: it cannot be checked from this node", allowableValues = {"passed", "skipped", "warning", "failed"})
          String verdict,
      String detail) {

    static CheckView of(String check, String subject, Verdict verdict, String detail) {
      return new CheckView(check, subject, verdict.word(), detail);
    }
  }

  static PartnerTestView of(String partner, Instant now, List<CheckView> checks) {
    Verdict worst =
        checks.stream()
            .map(check -> Verdict.valueOf(check.verdict().toUpperCase(Locale.ROOT)))
            .filter(verdict -> verdict != Verdict.SKIPPED)
            .reduce(Verdict.PASSED, (one, other) -> one.compareTo(other) >= 0 ? one : other);
    return new PartnerTestView(partner, now, worst.word(), List.copyOf(checks));
  }
}

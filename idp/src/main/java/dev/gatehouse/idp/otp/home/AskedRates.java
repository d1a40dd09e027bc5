package dev.gatehouse.idp.otp.home;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.otp.AskRates;
import java.time.Duration;
import java.time.InstantSource;

/** How often trusted realms ask. */
final class AskedRates {

  /** What is asked. */
  enum Kind {
    PASSCODE,
    NAME
  }

  private record Asker(String realm, String trusted, Kind kind) {}

  private final AskRates rates;
  private final AskedCounts counts;

  AskedRates(AskedCounts counts, InstantSource clock) {
    this.rates = new AskRates(clock);
    this.counts = counts;
  }

  /** Counts a question, and refuses it beyond the limit. */
  Result<AskingRealm, OAuthError> limited(RealmRequest request, AskingRealm asking, Kind kind) {
    int perSecond = asking.realm().perSecond();
    counts.count(request.realm().name(), asking.realm().name());
    Asker asker = new Asker(request.realm().name(), asking.realm().name(), kind);
    return switch (kind) {
      case PASSCODE ->
          limited(asker, perSecond, asking, "The realm asks more often than its otp.visitors.trusts.perSecond allows");
      case NAME ->
          limited(
              asker, Math.max(1, perSecond / 10), asking,
              "The realm asks about names more often than a tenth of its otp.visitors.trusts.perSecond");
    };
  }

  private Result<AskingRealm, OAuthError> limited(Asker asker, int most, AskingRealm asking, String refusal) {
    return rates.admits(asker, most)
        ? Result.accepted(asking)
        : new Result.Refused<>(OAuthError.slowed(Code.TEMPORARILY_UNAVAILABLE, refusal, Duration.ofSeconds(1)));
  }
}

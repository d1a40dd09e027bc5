package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.otp.OwnTokens;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Reports of a lost token by people who can log in no further without it: after the password, which is asked for again. A thief of the
 * password can do it, too. It takes their victim's token away and gives them nothing: a lost token is still asked for after a password, and
 * only a help desk helps. It is possible once a day, in the audit log, and told by mail.
 */
public final class LostTokens {

  private static final String MARK = "token-lost";
  private static final Duration BETWEEN = Duration.ofDays(1);

  /** The result of a report. */
  sealed interface Outcome {
    record Done() implements Outcome {}

    record WrongPassword() implements Outcome {}

    /** There is something else to log in with, or nothing to lose, or a report of the last day. */
    record NotHere() implements Outcome {}

    record Throttled(Duration retryAfter) implements Outcome {}
  }

  private final PasswordContract passwords;
  private final OwnTokens tokens;
  private final ReplayCache marks;
  private final InstantSource clock;

  public LostTokens(PasswordContract passwords, OwnTokens tokens, ReplayCache marks, InstantSource clock) {
    this.passwords = passwords;
    this.tokens = tokens;
    this.marks = marks;
    this.clock = clock;
  }

  Outcome report(RealmRequest request, Person person, String password) {
    return switch (passwords.authenticate(request, person.name(), password, LoginContract.PASSWORD)) {
      case PasswordContract.Outcome.Accepted(Person proved) when proved.id().equals(person.id()) -> report(request, person);
      case PasswordContract.Outcome.Throttled(var retryAfter) -> new Outcome.Throttled(retryAfter);
      case PasswordContract.Outcome other -> new Outcome.WrongPassword();
    };
  }

  private Outcome report(RealmRequest request, Person person) {
    Optional<Token> token = tokens.onlyOne(request, person);
    ReplayKey once = new ReplayKey(request.realm().name(), MARK, person.id().value());
    return token.isPresent()
            && marks.firstSeen(once, clock.instant().plus(BETWEEN))
            && tokens.lost(request, person, token.get().serial()) == OwnTokens.Outcome.DONE
        ? new Outcome.Done()
        : new Outcome.NotHere();
  }
}

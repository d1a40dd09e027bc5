package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.otp.OwnTokens;
import dev.gatehouse.idp.session.LoginContract;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Reports of a lost token by people who can log in no further without it: after the password, which is asked for again. A thief of the
 * password can do it, too. It takes their victim's token away and gives them nothing: a lost token is still asked for after a password, and
 * only a help desk helps. It is possible once a day, in the audit log, and told by mail.
 */
public final class LostTokens {

  private static final Logger LOG = LoggerFactory.getLogger(LostTokens.class);
  private static final String MARK = "token-lost";
  private static final Duration BETWEEN = Duration.ofDays(1);

  /** The result of a report. */
  sealed interface Outcome {
    record Done() implements Outcome {}

    record WrongPassword() implements Outcome {}

    /** There is something else to log in with, or nothing to lose, or a report of the last day. */
    record NotHere() implements Outcome {}

    /** The token cannot be changed at the moment, as at a replica: the report does not count as the one of the day. */
    record NotNow() implements Outcome {}

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

  /** The mark is made after the change: a change that fails does not keep the person from reporting again. */
  private Outcome report(RealmRequest request, Person person) {
    ReplayKey once = new ReplayKey(request.realm().name(), MARK, person.id().value());
    try {
      Optional<Token> token = tokens.onlyOne(request, person);
      if (token.isEmpty() || marks.isMarked(once) || tokens.lost(request, person, token.get().serial()) != OwnTokens.Outcome.DONE) {
        return new Outcome.NotHere();
      }
    } catch (DataAccessException | StoreUnavailable e) {
      LOG.warn("A lost token could not be reported", e);
      return new Outcome.NotNow();
    }
    try {
      marks.firstSeen(once, clock.instant().plus(BETWEEN));
    } catch (DataAccessException | StoreUnavailable e) {
      LOG.warn("A token was reported lost, and the mark of the day is missing", e);
    }
    return new Outcome.Done();
  }
}

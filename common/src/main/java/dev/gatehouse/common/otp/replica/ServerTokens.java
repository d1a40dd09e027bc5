package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.replica.WrongPasscodes.Wrong;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.store.Stores;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Tokens of one of several servers. They are read in the own database and changed in the primary's, which may be the same. Wrong passcodes
 * are counted in the store that all servers use, and rows follow; uses of tokens at a replica wait until the primary takes them.
 */
final class ServerTokens implements Tokens {

  private static final Logger LOG = LoggerFactory.getLogger(ServerTokens.class);

  /** So many counters before the used one are marked with it, which a look at the token may have told. */
  private static final int SKIPPED = 20;

  private final OtpServer server;
  private final Tokens own;
  private final Uses uses;
  private final Counts counts;
  private final WrongPasscodes wrong;
  private final Isolation isolation;
  private final Stores stores;
  private final InstantSource time;

  ServerTokens(
      OtpServer server, Tokens own, Uses uses, Counts counts, WrongPasscodes wrong, Isolation isolation, Stores stores,
      InstantSource time) {
    this.counts = counts;
    this.server = server;
    this.own = own;
    this.uses = uses;
    this.wrong = wrong;
    this.isolation = isolation;
    this.stores = stores;
    this.time = time;
  }

  @Override
  public ReplayCache marks(ReplayCache usual) {
    return new ServerMarks(usual, stores, isolation, time, server::marksKept);
  }

  @Override
  public OptionalLong epoch() {
    long epoch = server.primary().epoch();
    return epoch > 0 ? OptionalLong.of(epoch) : OptionalLong.empty();
  }

  @Override
  public void requireChangeable() {
    server.primaryTokens();
  }

  @Override
  public List<Token> of(String realm, PersonId person) {
    return current(realm, read().of(realm, person));
  }

  @Override
  public Owned owned(String realm, PersonId person) {
    Owned rows = read().owned(realm, person);
    return new Owned(counted(realm, person, rows.holder()), current(realm, rows.tokens()));
  }

  private List<Token> current(String realm, List<Token> rows) {
    return stores.problem().isEmpty() ? rows : rows.stream().map(row -> uses.current(realm, row)).toList();
  }

  @Override
  public Optional<Token> find(String realm, String serial) {
    // A use that the row does not have is told by the mark, unless there are none but this server's.
    Optional<Token> row = read().find(realm, serial);
    return stores.problem().isEmpty() ? row : row.map(one -> uses.current(realm, one));
  }

  @Override
  public List<Token> list(String realm, String after, int limit) {
    return read().list(realm, after, limit);
  }

  @Override
  public int emergencyLeft(String realm, PersonId person, Instant now) {
    return read().emergencyLeft(realm, person, now);
  }

  private Tokens read() {
    server.requireServing();
    return own;
  }

  /** Returns the tokens that administrators change, who do that at the primary: a replica's administration is no second way to it. */
  private Tokens administered() {
    Tokens tokens = server.primaryTokens();
    if (!server.isPrimary()) {
      throw ReplicationRefused.atReplica();
    }
    return tokens;
  }

  @Override
  public Set<String> add(String realm, Collection<Token> tokens) {
    return administered().add(realm, tokens);
  }

  @Override
  public boolean remove(String realm, String serial) {
    return administered().remove(realm, serial);
  }

  @Override
  public boolean assign(String realm, String serial, PersonId person) {
    return administered().assign(realm, serial, person);
  }

  @Override
  public boolean unassign(String realm, String serial, PersonId person) {
    Tokens primary = administered();
    boolean done = primary.unassign(realm, serial, person);
    if (done && primary.of(realm, person).isEmpty()) {
      count(realm, person, before -> new Wrong(0, Optional.empty()));
    }
    return done;
  }

  @Override
  public void erase(String realm, PersonId person) {
    administered().erase(realm, person);
    count(realm, person, before -> new Wrong(0, Optional.empty()));
  }

  @Override
  public boolean change(String realm, String serial, Token.State state) {
    return administered().change(realm, serial, state);
  }

  @Override
  public boolean resynchronise(String realm, String serial, long used, int drift) {
    Tokens primary = administered();
    Optional<Token> token = primary.find(realm, serial);
    return primary.resynchronise(realm, serial, used, drift)
        && (token.filter(one -> !one.type().kind().hasClock()).isEmpty() || isFirst(realm, token.get(), token.get().lastUsed() + 1, used));
  }

  /** {@inheritDoc} Where the primary is away, the code has counted all the same: the next one that counts finishes it. */
  @Override
  public void finishReplacement(String realm, Token token, PersonId person) {
    try {
      server.primaryTokens().finishReplacement(realm, token, person);
    } catch (DataAccessException | StoreUnavailable e) {
      LOG.warn(
          "The primary is away: the token that {} of realm {} replaces still counts, until a code of {} counts with the primary",
          token.serial(), realm, token.serial());
      LOG.debug("What a token replaces is not taken back yet", e);
    }
  }

  @Override
  public void keepPins(String realm, PersonId person, Optional<byte[]> sealed, boolean newPin) {
    administered().keepPins(realm, person, sealed, newPin);
  }

  @Override
  public boolean replacePins(String realm, PersonId person, Optional<byte[]> before, byte[] sealed, boolean newPin) {
    // A person chooses a PIN at any server; one that is only good for choosing another comes from administrators.
    return (newPin ? administered() : server.primaryTokens()).replacePins(realm, person, before, sealed, newPin);
  }

  @Override
  public void keepEmergency(String realm, PersonId person, Set<String> digests, boolean fixed, Instant until) {
    administered().keepEmergency(realm, person, digests, fixed, until);
  }

  /**
   * {@inheritDoc} A code without a mark that all servers see is used up where they all look: at the primary. A mark follows, because the
   * row is lost if the primary is lost before its replicas have it.
   */
  @Override
  public boolean use(String realm, Used used, int most) {
    PersonId person = used.use().person();
    return isUnlocked(realm, person, most)
        && server.primaryTokens().use(realm, used, Integer.MAX_VALUE)
        && (used.token().type().kind().hasClock() || isFirst(realm, used.token(), used.token().lastUsed() + 1, used.use().used()))
        && isUnlocked(realm, person, most);
  }

  /** The row of the primary may still have a count that another server has forgiven; of guesses in parallel, those before the use count. */
  private boolean isUnlocked(String realm, PersonId person, int most) {
    return holder(realm, person).wrong() < most;
  }

  /** Marks counters, of which the last one counts if nobody marked it before. */
  private boolean isFirst(String realm, Token token, long from, long used) {
    String prefix = token.serial() + " " + Base64.getUrlEncoder().withoutPadding().encodeToString(digest(token.sealedSeed())) + " ";
    for (long skipped = Math.max(from, used - SKIPPED); skipped < used; skipped++) {
      server.isFirst(new ReplayKey(realm, "otp-counter", prefix + skipped));
    }
    return server.isFirst(new ReplayKey(realm, "otp-counter", prefix + used));
  }

  private static byte[] digest(byte[] sealed) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(sealed);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean useEmergency(String realm, PersonId person, String digest, Instant now, int most) {
    return isUnlocked(realm, person, most)
        && server.primaryTokens().useEmergency(realm, person, digest, now, Integer.MAX_VALUE)
        && (uses.isFixedEmergency(realm, person, digest)
            || server.isFirst(new ReplayKey(realm, "otp-emergency", person.value() + " " + digest)))
        && isUnlocked(realm, person, most);
  }

  /** {@inheritDoc} Asked of the own copy: a wrong passcode that looks as if it stood in is counted where the primary is away, too. */
  @Override
  public boolean standsIn(String realm, PersonId person, String digest, Instant now) {
    return read().standsIn(realm, person, digest, now);
  }

  /** {@inheritDoc} Where the primary is away, no node of the former version that uses its database takes codes either. */
  @Override
  public boolean acceptApp(String realm, Use use) {
    try {
      return server.primaryTokens().acceptApp(realm, use);
    } catch (DataAccessException | StoreUnavailable e) {
      LOG.debug("The primary has no mark of a code for the former version", e);
      return true;
    }
  }

  @Override
  public Optional<TokenHolder> counts(String realm, Used used, Instant now, int most) {
    // By the row alone, a count that another server has forgiven would still refuse.
    return read()
        .counts(realm, used, now, Integer.MAX_VALUE)
        .filter(row -> uses.isFirst(realm, used))
        .map(row -> counted(realm, used.use().person(), row))
        .filter(holder -> holder.wrong() < most);
  }

  @Override
  public void keepUses(String realm, Collection<Used> used) {
    if (server.isPrimary()) {
      own.keepUses(realm, used);
    } else {
      uses.keep(realm, used);
    }
  }

  @Override
  public TokenHolder holder(String realm, PersonId person) {
    return counted(realm, person, read().holder(realm, person));
  }

  /** What is stored about the person, with the wrong passcodes that all servers have counted. */
  private TokenHolder counted(String realm, PersonId person, TokenHolder row) {
    return wrong(realm, person).map(counted -> counted.in(row)).orElseGet(() -> counts.highest(realm, person, row));
  }

  private Optional<Wrong> wrong(String realm, PersonId person) {
    return isolation.isAlone(stores) ? isolation.wrong(realm, person) : wrong.find(realm, person);
  }

  /** Changes the count of all servers; rows follow it. */
  private Wrong count(String realm, PersonId person, UnaryOperator<Wrong> change) {
    TokenHolder row = counts.highest(realm, person, read().holder(realm, person));
    Wrong after =
        isolation.isAlone(stores) ? isolation.change(realm, person, row, change) : wrong.change(realm, person, row, change);
    counts.keep(realm, person, after);
    return after;
  }

  @Override
  public int countWrong(String realm, PersonId person, int most, Optional<Instant> lockedUntil) {
    return count(realm, person, before -> before.more(most, lockedUntil)).count();
  }

  @Override
  public void endLock(String realm, PersonId person, int left, Instant now) {
    count(realm, person, before -> before.unlocked(left, now));
  }

  @Override
  public void forgive(String realm, PersonId person) {
    count(realm, person, before -> new Wrong(0, Optional.empty()));
  }

  @Override
  public void unlock(String realm, PersonId person) {
    server.primaryTokens().unlock(realm, person);
    count(realm, person, before -> new Wrong(0, Optional.empty()));
  }
}

package dev.gatehouse.common.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.remembered.OwnChanges;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Tokens of a node with stores of its own: what a use changes is in the journal first, and in the row some minutes later. */
final class JournaledTokens implements Tokens {

  private final Tokens rows;
  private final UseJournal journal;
  private final OwnedCopies copies;
  private final OwnChanges changes;
  private final LastReads reads;

  /** @param changes of the tables, which no other process changes */
  JournaledTokens(Tokens rows, UseJournal journal, OwnedCopies copies, OwnChanges changes) {
    this.rows = rows;
    this.journal = journal;
    this.copies = copies;
    this.changes = changes;
    this.reads = new LastReads(changes);
  }

  private List<Token> current(String realm, List<Token> tokens) {
    return tokens.stream().map(token -> journal.current(realm, token)).toList();
  }

  @Override
  public List<Token> of(String realm, PersonId person) {
    return current(realm, rows.of(realm, person));
  }

  @Override
  public Owned owned(String realm, PersonId person) {
    Owned owned = reads.read(realm, person, () -> copies.read(realm, person, () -> rows.owned(realm, person)));
    return new Owned(owned.holder(), current(realm, owned.tokens()));
  }

  @Override
  public Optional<Token> find(String realm, String serial) {
    return rows.find(realm, serial).map(token -> journal.current(realm, token));
  }

  @Override
  public List<Token> list(String realm, String after, int limit) {
    return current(realm, rows.list(realm, after, limit));
  }

  /** {@inheritDoc} Nodes of the former version look at rows of apps, which are written for each code anyway. */
  @Override
  public void keepUses(String realm, Collection<Used> uses) {
    List<Used> apps = uses.stream().filter(used -> used.token().type().kind() == TokenType.Kind.APP).toList();
    if (!apps.isEmpty()) {
      rows.keepUses(realm, apps);
    }
    journal.keep(realm, uses.stream().filter(used -> used.token().type().kind() != TokenType.Kind.APP).toList());
  }

  @Override
  public Optional<TokenHolder> counts(String realm, Used used, Instant now, int most) {
    // The journal first: what leaves it meanwhile is in the row by then.
    return journal.lastUsed(realm, used.token()) >= used.use().used()
        ? Optional.empty()
        : reads.counts(realm, used, now, most).or(() -> rows.counts(realm, used, now, most));
  }

  @Override
  public boolean use(String realm, Used used, int most) {
    journal.write(realm, used.token());
    return rows.use(realm, used, most);
  }

  @Override
  public boolean resynchronise(String realm, String serial, long used, int drift) {
    rows.find(realm, serial).ifPresent(token -> journal.write(realm, token));
    return rows.resynchronise(realm, serial, used, drift);
  }

  private <T> T about(String realm, PersonId person, Supplier<T> work) {
    try {
      return CountedUpdates.about(realm, person, work);
    } catch (RuntimeException e) {
      // Rows are asked next: while the database is away, they are not there, and what they said before admits nobody.
      String key = CountedUpdates.key(realm, person);
      changes.begin(key);
      changes.end(key);
      throw e;
    }
  }

  private void change(String realm, PersonId person, Runnable work) {
    about(
        realm,
        person,
        () -> {
          work.run();
          return true;
        });
  }

  @Override
  public boolean acceptApp(String realm, Use use) {
    return about(realm, use.person(), () -> rows.acceptApp(realm, use));
  }

  @Override
  public Set<String> add(String realm, Collection<Token> tokens) {
    return rows.add(realm, tokens);
  }

  @Override
  public boolean remove(String realm, String serial) {
    return rows.remove(realm, serial);
  }

  @Override
  public boolean assign(String realm, String serial, PersonId person) {
    return rows.assign(realm, serial, person);
  }

  @Override
  public boolean unassign(String realm, String serial, PersonId person) {
    return rows.unassign(realm, serial, person);
  }

  @Override
  public boolean change(String realm, String serial, Token.State state) {
    return rows.change(realm, serial, state);
  }

  @Override
  public void finishReplacement(String realm, Token token, PersonId person) {
    rows.finishReplacement(realm, token, person);
  }

  @Override
  public TokenHolder holder(String realm, PersonId person) {
    return rows.holder(realm, person);
  }

  @Override
  public int countWrong(String realm, PersonId person, int most, Optional<Instant> lockedUntil) {
    return about(realm, person, () -> rows.countWrong(realm, person, most, lockedUntil));
  }

  @Override
  public void endLock(String realm, PersonId person, int wrong, Instant now) {
    change(realm, person, () -> rows.endLock(realm, person, wrong, now));
  }

  @Override
  public void forgive(String realm, PersonId person) {
    change(realm, person, () -> rows.forgive(realm, person));
  }

  @Override
  public void unlock(String realm, PersonId person) {
    change(realm, person, () -> rows.unlock(realm, person));
  }

  @Override
  public void keepPins(String realm, PersonId person, Optional<byte[]> sealed, boolean newPin) {
    change(realm, person, () -> rows.keepPins(realm, person, sealed, newPin));
  }

  @Override
  public boolean replacePins(String realm, PersonId person, Optional<byte[]> before, byte[] sealed, boolean newPin) {
    return about(realm, person, () -> rows.replacePins(realm, person, before, sealed, newPin));
  }

  @Override
  public void keepEmergency(String realm, PersonId person, Set<String> digests, boolean fixed, Instant until) {
    change(realm, person, () -> rows.keepEmergency(realm, person, digests, fixed, until));
  }

  @Override
  public boolean standsIn(String realm, PersonId person, String digest, Instant now) {
    return rows.standsIn(realm, person, digest, now);
  }

  @Override
  public boolean useEmergency(String realm, PersonId person, String digest, Instant now, int most) {
    return about(realm, person, () -> rows.useEmergency(realm, person, digest, now, most));
  }

  @Override
  public int emergencyLeft(String realm, PersonId person, Instant now) {
    return rows.emergencyLeft(realm, person, now);
  }

  @Override
  public void erase(String realm, PersonId person) {
    rows.erase(realm, person);
  }
}

package dev.gatehouse.idp;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.JdbcSecondFactors;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Second factors in tables, of which a test may say that they were lost. */
final class LosableSecondFactors implements SecondFactors {

  /** Sets the state after a loss. */
  boolean wereLost;

  private final SecondFactors stored;
  private final Set<PersonId> confirmed = new HashSet<>();

  LosableSecondFactors(Database database) {
    this.stored = new JdbcSecondFactors(database);
  }

  @Override
  public boolean needsConfirmation(String realm, PersonId person) {
    return wereLost && !confirmed.contains(person) && of(realm, person).isEmpty();
  }

  @Override
  public void confirm(String realm, Optional<PersonId> person, Instant at) {
    person.ifPresent(confirmed::add);
  }

  @Override
  public List<Factor> of(String realm, PersonId person) {
    return stored.of(realm, person);
  }

  @Override
  public boolean add(String realm, PersonId person, Factor factor, int limit) {
    return stored.add(realm, person, factor, limit);
  }

  @Override
  public boolean remove(String realm, PersonId person, String factor) {
    return stored.remove(realm, person, factor);
  }

  @Override
  public boolean removeAll(String realm, PersonId person) {
    return stored.removeAll(realm, person);
  }

  @Override
  public void erase(String realm, PersonId person) {
    stored.erase(realm, person);
  }

  @Override
  public boolean accept(String realm, PersonId person, String factor, long step, Instant at) {
    return stored.accept(realm, person, factor, step, at);
  }

  @Override
  public int wrongCodes(String realm, PersonId person) {
    return stored.wrongCodes(realm, person);
  }

  @Override
  public int countWrong(String realm, PersonId person) {
    return stored.countWrong(realm, person);
  }

  @Override
  public boolean forgive(String realm, PersonId person, int most) {
    return stored.forgive(realm, person, most);
  }

  @Override
  public void keepRecoveryCodes(String realm, PersonId person, Set<String> digests) {
    stored.keepRecoveryCodes(realm, person, digests);
  }

  @Override
  public boolean takeRecoveryCode(String realm, PersonId person, String digest) {
    return stored.takeRecoveryCode(realm, person, digest);
  }

  @Override
  public int recoveryCodesLeft(String realm, PersonId person) {
    return stored.recoveryCodesLeft(realm, person);
  }
}

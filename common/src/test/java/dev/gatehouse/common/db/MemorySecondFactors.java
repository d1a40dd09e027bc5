package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Second factors in a map, for tests of other modules. */
public final class MemorySecondFactors implements SecondFactors {

  private record Owner(String realm, PersonId person) {}

  private static final class State {
    final List<Factor> factors = new ArrayList<>();
    final Set<String> recoveryCodes = new HashSet<>();
    long lastStep;
    int wrong;
  }

  private final Map<Owner, State> states = new HashMap<>();

  /** Sets the state after a loss. */
  public boolean wereLost;

  private final Set<Owner> confirmed = new HashSet<>();

  @Override
  public synchronized boolean needsConfirmation(String realm, PersonId person) {
    return wereLost && !confirmed.contains(new Owner(realm, person)) && of(realm, person).isEmpty();
  }

  @Override
  public synchronized void confirm(String realm, Optional<PersonId> person, Instant at) {
    person.ifPresent(known -> confirmed.add(new Owner(realm, known)));
  }

  private State state(String realm, PersonId person) {
    return states.computeIfAbsent(new Owner(realm, person), owner -> new State());
  }

  @Override
  public synchronized List<Factor> of(String realm, PersonId person) {
    return List.copyOf(state(realm, person).factors);
  }

  @Override
  public synchronized boolean add(String realm, PersonId person, Factor factor, int most) {
    List<Factor> factors = state(realm, person).factors;
    return factors.size() < most && factors.add(factor);
  }

  @Override
  public synchronized boolean remove(String realm, PersonId person, String factor) {
    boolean removed = state(realm, person).factors.removeIf(f -> f.id().equals(factor));
    if (state(realm, person).factors.isEmpty()) {
      states.remove(new Owner(realm, person));
    }
    return removed;
  }

  @Override
  public synchronized boolean removeAll(String realm, PersonId person) {
    State gone = states.remove(new Owner(realm, person));
    return gone != null && !gone.factors.isEmpty();
  }

  @Override
  public void erase(String realm, PersonId person) {
    removeAll(realm, person);
  }

  @Override
  public synchronized boolean accept(String realm, PersonId person, String factor, long step, Instant at) {
    State state = state(realm, person);
    if (step <= state.lastStep) {
      return false;
    }
    state.lastStep = step;
    state.factors.replaceAll(
        f ->
            f.id().equals(factor)
                ? new Factor(f.id(), f.label(), f.digits(), f.sealedSecret(), f.createdAt(), Optional.of(at))
                : f);
    return true;
  }

  @Override
  public synchronized int wrongCodes(String realm, PersonId person) {
    return state(realm, person).wrong;
  }

  @Override
  public synchronized int countWrong(String realm, PersonId person) {
    return ++state(realm, person).wrong;
  }

  @Override
  public synchronized boolean forgive(String realm, PersonId person, int most) {
    State state = state(realm, person);
    boolean allowed = state.wrong < most;
    state.wrong = allowed ? 0 : state.wrong;
    return allowed;
  }

  @Override
  public synchronized void keepRecoveryCodes(String realm, PersonId person, Set<String> digests) {
    State state = state(realm, person);
    state.recoveryCodes.clear();
    state.recoveryCodes.addAll(digests);
  }

  @Override
  public synchronized boolean takeRecoveryCode(String realm, PersonId person, String digest) {
    return state(realm, person).recoveryCodes.remove(digest);
  }

  @Override
  public synchronized int recoveryCodesLeft(String realm, PersonId person) {
    return state(realm, person).recoveryCodes.size();
  }
}

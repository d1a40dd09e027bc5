package dev.gatehouse.common.db;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.dao.DataAccessResourceFailureException;

/** Mail that waits in a map, for tests. */
public final class MemoryMailOutbox implements MailOutbox {

  private final Map<String, Waiting> all = new LinkedHashMap<>();
  private final Map<String, Instant> notices = new HashMap<>();
  private boolean refuses;

  /** Has no mail stored from now on, or with false stored again. */
  public synchronized void refuse(boolean refuse) {
    refuses = refuse;
  }

  @Override
  public synchronized boolean add(Waiting mail, int most) {
    if (refuses) {
      throw new DataAccessResourceFailureException("The test has no mail stored");
    }
    return all.size() < most && all.put(mail.id(), mail) == null;
  }

  @Override
  public synchronized List<Waiting> due(Instant now, int most) {
    return all.values().stream()
        .filter(mail -> !mail.nextTryAt().isAfter(now))
        .sorted(Comparator.comparing(Waiting::nextTryAt))
        .limit(most)
        .toList();
  }

  @Override
  public synchronized void postpone(String id, int tries, Instant nextTryAt) {
    all.computeIfPresent(
        id,
        (key, mail) ->
            new Waiting(
                id, mail.realm(), mail.person(), mail.kind(), mail.sealedDetails(), mail.createdAt(), tries, nextTryAt));
  }

  @Override
  public synchronized boolean remove(String id) {
    return all.remove(id) != null;
  }

  @Override
  public synchronized int size() {
    return all.size();
  }

  @Override
  public synchronized boolean hasFor(String realm, PersonId person, String kind) {
    return ofPerson(realm, person).stream().anyMatch(mail -> mail.kind().equals(kind));
  }

  @Override
  public synchronized List<Waiting> ofPerson(String realm, PersonId person) {
    return all.values().stream()
        .filter(mail -> mail.realm().equals(realm) && mail.person().equals(Optional.of(person)))
        .toList();
  }

  @Override
  public synchronized int removeAll(String realm, PersonId person) {
    List<Waiting> gone = ofPerson(realm, person);
    gone.forEach(mail -> all.remove(mail.id()));
    return gone.size();
  }

  @Override
  public synchronized boolean noteOnce(String digest, Instant at) {
    return notices.putIfAbsent(digest, at) == null;
  }

  @Override
  public synchronized void forget(String digest) {
    notices.remove(digest);
  }

  @Override
  public synchronized void forgetBefore(Instant time) {
    notices.values().removeIf(at -> at.isBefore(time));
  }
}

package dev.gatehouse.common.passkey;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Passkeys in maps, for tests of other modules. */
public final class MemoryPasskeys implements Passkeys {

  private record Owner(String realm, PersonId person) {}

  private record Kept(String realm, Passkey passkey) {
    boolean isOf(String other, PersonId person, String id) {
      return realm.equals(other) && passkey.person().equals(person) && passkey.id().equals(id);
    }
  }

  private final List<Kept> all = new ArrayList<>();
  private final Map<Owner, String> handles = new HashMap<>();
  private final Set<Owner> answered = new HashSet<>();
  private final Map<Owner, List<Addition>> additions = new HashMap<>();
  private long lastNumber;

  @Override
  public synchronized List<Passkey> of(String realm, PersonId person) {
    return all.stream().filter(kept -> kept.realm().equals(realm)).map(Kept::passkey).filter(p -> p.person().equals(person)).toList();
  }

  @Override
  public synchronized Optional<Passkey> find(String realm, String id) {
    return all.stream().filter(kept -> kept.realm().equals(realm)).map(Kept::passkey).filter(p -> p.id().equals(id)).findFirst();
  }

  @Override
  public Optional<Owned> owned(String realm, String id) {
    return find(realm, id).map(passkey -> new Owned(passkey, userHandle(realm, passkey.person(), "")));
  }

  @Override
  public synchronized boolean add(String realm, Passkey passkey, String session, int limit) {
    List<Addition> waiting = additions.computeIfAbsent(new Owner(realm, passkey.person()), owner -> new ArrayList<>());
    boolean added =
        find(realm, passkey.id()).isEmpty()
            && of(realm, passkey.person()).size() < limit
            && waiting.stream().filter(one -> !one.isTold()).count() < MAX_UNTOLD
            && all.add(new Kept(realm, passkey));
    if (added) {
      waiting.add(new Addition(++lastNumber, session, passkey.createdAt(), List.of()));
    }
    return added;
  }

  @Override
  public synchronized List<Addition> additions(String realm, PersonId person) {
    return List.copyOf(additions.getOrDefault(new Owner(realm, person), List.of()));
  }

  @Override
  public synchronized void told(String realm, PersonId person, Telling telling) {
    List<Addition> kept = additions.getOrDefault(new Owner(realm, person), new ArrayList<>());
    kept.replaceAll(addition -> isShown(addition, telling) ? told(addition, telling.browser()) : addition);
    kept.removeIf(addition -> addition.isTold() && addition.at().isBefore(telling.at().minus(TOLD_FOR)));
    List<Addition> shown = kept.stream().filter(addition -> isShown(addition, telling)).toList();
    kept.removeAll(shown.subList(0, Math.max(0, shown.size() - MAX_UNTOLD)));
  }

  private static boolean isShown(Addition addition, Telling telling) {
    return addition.number() <= telling.upTo() && !addition.session().equals(telling.session());
  }

  private static Addition told(Addition addition, String browser) {
    List<String> browsers = new ArrayList<>(addition.toldIn());
    if (!browsers.contains(browser)) {
      browsers.add(browser);
    }
    return new Addition(addition.number(), addition.session(), addition.at(), browsers.subList(Math.max(0, browsers.size() - 50), browsers.size()));
  }

  @Override
  public synchronized boolean use(String realm, String id, State now) {
    Optional<Passkey> known = find(realm, id);
    boolean grows = known.filter(p -> now.counter() > p.state().counter() || now.counter() == 0 && p.state().counter() == 0).isPresent();
    known.filter(p -> grows).ifPresent(p -> replace(realm, p, now, p.level()));
    return grows;
  }

  private void replace(String realm, Passkey p, State now, String level) {
    Passkey changed = new Passkey(p.id(), p.person(), p.publicKey(), p.model(), now, p.label(), level, p.createdAt());
    all.replaceAll(kept -> kept.isOf(realm, p.person(), p.id()) ? new Kept(realm, changed) : kept);
  }

  @Override
  public synchronized boolean setLevel(String realm, PersonId person, String id, String level) {
    Optional<Passkey> known = find(realm, id).filter(p -> p.person().equals(person));
    known.ifPresent(p -> replace(realm, p, p.state(), level));
    return known.isPresent();
  }

  @Override
  public synchronized boolean remove(String realm, PersonId person, String id) {
    return all.removeIf(kept -> kept.isOf(realm, person, id));
  }

  @Override
  public synchronized boolean removeUnlessLast(String realm, PersonId person, String id) {
    List<Passkey> strong = of(realm, person).stream().filter(Passkey::isStrong).toList();
    boolean isLast = strong.size() == 1 && strong.getFirst().id().equals(id);
    return !isLast && remove(realm, person, id);
  }

  @Override
  public synchronized int removeAll(String realm, PersonId person) {
    int before = all.size();
    all.removeIf(kept -> kept.realm().equals(realm) && kept.passkey().person().equals(person));
    return before - all.size();
  }

  @Override
  public synchronized boolean isOfferAnswered(String realm, PersonId person) {
    return answered.contains(new Owner(realm, person));
  }

  @Override
  public synchronized void answerOffer(String realm, PersonId person, Instant at) {
    answered.add(new Owner(realm, person));
  }

  @Override
  public synchronized void erase(String realm, PersonId person) {
    removeAll(realm, person);
    handles.remove(new Owner(realm, person));
    answered.remove(new Owner(realm, person));
    additions.remove(new Owner(realm, person));
  }

  @Override
  public synchronized String userHandle(String realm, PersonId person, String fresh) {
    return handles.computeIfAbsent(new Owner(realm, person), owner -> fresh);
  }
}

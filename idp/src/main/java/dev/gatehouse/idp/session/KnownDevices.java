package dev.gatehouse.idp.session;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.mail.PersonNotices;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.common.throttle.GuessSource;
import dev.gatehouse.common.throttle.LoginNames;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.DeviceCookie.Entry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The browsers in which people have logged in completely. They have guesses of their own, so that wrong passwords from
 * elsewhere do not lock people out in their own browsers. The cookie {@code gh_device.{realm}} is sealed, valid for
 * {@link #LIFE} after the latest login, and holds ten names per browser. A person has at most ten such browsers, the
 * latest ones, and changing the password through us ends them all. The list is stored on the server, because a cookie
 * alone could not be revoked. The cookie grants no access.
 */
public final class KnownDevices {

  private static final Logger LOG = LoggerFactory.getLogger(KnownDevices.class);

  /** The name of the store. */
  public static final String STORE = "idp-known-devices";

  static final Duration LIFE = Duration.ofDays(90);
  private static final Duration RENEWED_AFTER = Duration.ofDays(1);
  private static final int MAX = 10;

  /** The devices of a person, the latest first. */
  private record Known(List<Long> devices) {
    Known {
      devices = List.copyOf(devices);
    }
  }

  /** A version, then eight bytes for each device. */
  private static final class KnownCodec implements ValueCodec<Known> {

    private static final byte VERSION = 2;

    @Override
    public byte[] encode(Known known) {
      ByteBuffer bytes = ByteBuffer.allocate(1 + known.devices().size() * Long.BYTES).put(VERSION);
      known.devices().forEach(bytes::putLong);
      return bytes.array();
    }

    @Override
    public Known decode(byte[] bytes) {
      if (bytes.length == 0 || bytes[0] != VERSION) {
        throw new IllegalArgumentException("not of version " + VERSION);
      }
      ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
      List<Long> devices = new ArrayList<>();
      while (in.remaining() >= Long.BYTES) {
        devices.add(in.getLong());
      }
      return new Known(devices);
    }
  }

  private final SingleUseStore<Known> store;
  private final DeviceCookie cookie;
  private final PersonNotices notices;
  private final InstantSource clock;
  private final RandomGenerator random;

  public KnownDevices(
      Stores stores, SealingKey sealing, PersonNotices notices, InstantSource clock, RandomGenerator random) {
    this.store = stores.singleUse(STORE, new KnownCodec());
    this.cookie = new DeviceCookie(sealing);
    this.notices = notices;
    this.clock = clock;
    this.random = random;
  }

  /** The source of a guess for this name: a browser in which its owner is known, or a stranger. */
  public GuessSource guessSource(RealmRequest request, String typed) {
    List<Entry> carried = cookie.read(request);
    String name = carried.isEmpty() ? "" : nameDigest(request, LoginNames.normal(typed));
    return carried.stream()
        .filter(entry -> entry.name().equals(name) && isKnown(entry))
        .findFirst()
        .<GuessSource>map(entry -> new GuessSource.KnownDevice(Long.toHexString(entry.device())))
        .orElseGet(() -> new GuessSource.Stranger(request.http().client()));
  }

  /**
   * The person has passed a first step, and a second one follows.
   *
   * @param proved the name, as typed, for which the password was verified just now
   * @return Set-Cookie
   */
  public Optional<String> firstFactorPassed(RealmRequest request, Person person, Optional<String> proved) {
    String digest = digest(request, person);
    List<Entry> before = cookie.read(request);
    List<Entry> mine = new ArrayList<>();
    for (String name : names(request, person, proved)) {
      if (before.stream().noneMatch(entry -> entry.name().equals(name) && entry.person().equals(digest))) {
        mine.add(new Entry(name, digest, DeviceCookie.NO_DEVICE, clock.instant()));
      }
    }
    return mine.isEmpty() ? Optional.empty() : Optional.of(written(request, mine, before));
  }

  /**
   * The person has logged in completely.
   *
   * @param proved as in {@link #firstFactorPassed}; empty if this request proved no name: an unproved name in its form
   *     comes from the sender alone, and would make the browser known for another person's name
   * @return Set-Cookie, if the browser does not have it yet
   */
  Optional<String> loggedIn(RealmRequest request, Person person, Optional<String> proved) {
    Instant now = clock.instant();
    String digest = digest(request, person);
    Set<String> names = names(request, person, proved);
    List<Entry> before = cookie.read(request);
    // The cookie is sealed: an entry with a device proves a login here, even if a new password has ended it since.
    if (before.stream().noneMatch(entry -> entry.person().equals(digest) && entry.hasDevice())) {
      tell(request, person);
    }
    if (before.isEmpty()) {
      return Optional.of(makeKnown(request, digest, names, newId(), before));
    }
    List<Entry> own = before.stream().filter(entry -> entry.person().equals(digest)).toList();
    Optional<Entry> known = own.stream().filter(entry -> isKnown(entry)).findFirst();
    boolean isFresh =
        own.stream()
            .filter(entry -> entry.hasDevice() && now.isBefore(entry.at().plus(RENEWED_AFTER)))
            .map(Entry::name)
            .toList()
            .containsAll(names);
    if (known.isPresent() && isFresh) {
      return Optional.empty();
    }
    long device = known.map(Entry::device).orElseGet(this::newId);
    own.stream().map(Entry::name).forEach(names::add);
    return Optional.of(makeKnown(request, digest, names, device, before));
  }

  private void tell(RealmRequest request, Person person) {
    String device = request.http().headers().first("User-Agent").flatMap(UserAgentName::recognized).orElse("?");
    notices.newDevice(request.realm(), person, request.http().client().getHostAddress(), device);
  }

  private String makeKnown(RealmRequest request, String person, Set<String> names, long device, List<Entry> before) {
    remember(person, device);
    List<Entry> mine = new ArrayList<>();
    for (String name : names) {
      mine.add(new Entry(name, person, device, clock.instant()));
    }
    return written(request, mine, before);
  }

  /**
   * Returns the id of the browser if the person has logged in completely in it, as the cookie that it sent says. The cookie is sealed: it
   * proves that, also after a new password has ended what the browser is known for.
   */
  public Optional<String> browser(RealmRequest request, PersonId person) {
    String digest = digest(request.realm().name(), person);
    return cookie.read(request).stream()
        .filter(entry -> entry.person().equals(digest) && entry.hasDevice())
        .map(entry -> Long.toHexString(entry.device()))
        .findFirst();
  }

  /** The person has a new password: a browser that knew the old one becomes a stranger. */
  public void passwordChanged(RealmRequest request, Person person) {
    String digest = digest(request, person);
    store.replace(digest, new Known(List.of()), clock.instant().plus(LIFE));
  }

  /** Returns the number of browsers in which the person is known. */
  public int count(String realm, PersonId person) {
    return devices(digest(realm, person)).size();
  }

  /** Forgets the browsers of a person; their cookies mean nothing afterwards. */
  public void forget(String realm, PersonId person) {
    store.discard(digest(realm, person));
  }

  private boolean isKnown(Entry entry) {
    return entry.hasDevice()
        && clock.instant().isBefore(entry.at().plus(LIFE))
        && devices(entry.person()).contains(entry.device());
  }

  /** None if the list cannot be read, for example because another version wrote it: every browser is then a stranger. */
  private List<Long> devices(String person) {
    try {
      return store.peek(person).map(Known::devices).orElse(List.of());
    } catch (RuntimeException e) {
      LOG.warn("The known devices of a person cannot be read; all their browsers count as unknown until the next login", e);
      return List.of();
    }
  }

  /**
   * Written in the background. If a crash or a failure loses the write, the new browser is a stranger again, and the browser
   * that it displaced remains known until the next login. A list that cannot be read is replaced.
   */
  private void remember(String person, long device) {
    try {
      store.updateLater(person, before -> with(device, before), clock.instant().plus(LIFE));
    } catch (RuntimeException e) {
      LOG.warn("A browser cannot be added to the known devices of a person, who is logged in nevertheless", e);
    }
  }

  private static Known with(long device, Optional<Known> before) {
    List<Long> devices = new ArrayList<>(List.of(device));
    before.ifPresent(known -> known.devices().stream().filter(other -> other != device).forEach(devices::add));
    return new Known(devices.subList(0, Math.min(MAX, devices.size())));
  }

  /** The names that the person types here: the directory's spelling, and the name that was proved. */
  private Set<String> names(RealmRequest request, Person person, Optional<String> proved) {
    String own = LoginNames.normal(person.name());
    Set<String> names = new LinkedHashSet<>();
    proved.map(LoginNames::normal).filter(typed -> !typed.equals(own)).ifPresent(typed -> names.add(nameDigest(request, typed)));
    names.add(nameDigest(request, own));
    return names;
  }

  private String nameDigest(RealmRequest request, String normal) {
    return cookie.digest(request.realm().name(), "name", normal);
  }

  private String digest(RealmRequest request, Person person) {
    return digest(request.realm().name(), person.id());
  }

  private String digest(String realm, PersonId person) {
    return cookie.digest(realm, "person", person.value());
  }

  /** Adds the most recently used ones of the others. */
  private String written(RealmRequest request, List<Entry> mine, List<Entry> before) {
    List<Entry> all = new ArrayList<>(mine);
    for (Entry entry : before) {
      if (mine.stream().noneMatch(own -> own.name().equals(entry.name()))) {
        all.add(entry);
      }
    }
    List<Entry> kept = all.subList(0, Math.min(MAX, all.size()));
    return Cookies.set(request.origin(), DeviceCookie.name(request), cookie.write(request, kept), LIFE);
  }

  private long newId() {
    long id = random.nextLong();
    return id == DeviceCookie.NO_DEVICE ? newId() : id;
  }
}

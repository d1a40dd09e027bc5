package dev.gatehouse.common.directory;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.unboundid.ldap.sdk.SearchResultEntry;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.directory.Connections.Use;
import dev.gatehouse.common.directory.PersonReader.Found;
import dev.gatehouse.common.directory.PersonReader.Kept;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.stringprep.StringPreparation;
import dev.gatehouse.common.throttle.LoginNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of people over LDAP. A login takes three operations: a search for the person, a bind as the person on a connection
 * reserved for binds, and, if the bind succeeds, a search for the groups, unless the entry has them ({@link PersonReader#groupsIn}). The
 * first is left out for who has logged in by the same name within {@link #FRESH}, if possible ({@link PersonReader#mayKeepEntries}).
 *
 * <p>What {@link #find} and {@link #findStillEnabled} say, and attributes of a login, may be {@link #FRESH} old; its bind and groups never.
 */
public final class LdapDirectory implements Directory, AutoCloseable {

  /** How old the data of a person may be: half of what the design allows, because sessions are read again after the other half. */
  static final Duration FRESH = Duration.ofSeconds(30);

  /** How old a cached pair may be: other nodes and administrators write to the directory too. */
  private static final Duration PAIRS_FRESH = Duration.ofSeconds(5);

  private static final int MAX_CACHED = 20_000;
  private static final Logger LOG = LoggerFactory.getLogger(LdapDirectory.class);

  private record PairStore(NamePairs.Kind kind, String attribute) {}

  private final DirectoryConfig config;
  private final LdapServers servers;
  private final PersonReader reader;
  private final PasswordModify modify;
  private final RefusalDelay delay;
  private final String decoyDn;
  /** Nobody whose account was disabled then. */
  private final Cache<PersonId, Kept<Person>> people = kept();
  /** The entries of people who logged in, by names as they were sought: only the directory knows which names are equal. */
  private final Cache<String, Kept<SearchResultEntry>> entries = kept();
  private final Map<PairStore, NamePairs> namePairs = new ConcurrentHashMap<>();

  public LdapDirectory(DirectoryConfig config) {
    this(config, new DirectoryTimes());
  }

  LdapDirectory(DirectoryConfig config, DirectoryTimes times) {
    this.config = config;
    this.servers = new LdapServers(config, times);
    this.reader = new PersonReader(config);
    this.modify = new PasswordModify(new IdAttribute(config.people().idAttribute()).isGuid());
    this.delay = new RefusalDelay(config.pool().responseTimeout());
    this.decoyDn = "cn=nobody of this name," + config.people().baseDn();
  }

  private static <K, V> Cache<K, V> kept() {
    return Caffeine.newBuilder().maximumSize(MAX_CACHED).expireAfterWrite(FRESH).executor(Runnable::run).build();
  }

  Stream<Connections> connections() {
    return servers.all().stream().map(LdapServer::connections);
  }

  @Override
  public Authentication authenticate(String loginName, Password password) {
    Optional<RefusedReason> unread = password.unreadable();
    if (unread.isPresent()) {
      return new Authentication.Refused(unread.get());
    }
    long start = System.nanoTime();
    String name = LoginNames.sought(loginName);
    try {
      Kept<SearchResultEntry> known = entries.getIfPresent(name);
      return known != null && known.isYounger(FRESH)
          ? authenticateKnown(known, name, password, start)
          : authenticate(lookUp(name), name, password, start);
    } catch (DirectoryUnavailable e) {
      return new Authentication.Unavailable(String.valueOf(e.getMessage()));
    }
  }

  private Authentication authenticateKnown(Kept<SearchResultEntry> known, String name, Password password, long start) {
    String dn = known.value().getDN();
    BindVerdict verdict = servers.run(Use.BIND, c -> BindVerdict.of(c, dn, password));
    if (!(verdict instanceof BindVerdict.Wrong(RefusedReason reason))) {
      return accepted(verdict, known);
    }
    entries.invalidate(name);
    // The name may have passed to another entry. No entry gets the same guess twice: that would count against it twice.
    Found now = lookUp(name);
    return now instanceof Found.One(var read) && (read.value().getDN().equals(dn) || SameValue.isSameDn(read.value().getDN(), dn))
        ? refuse(reason, start)
        : authenticate(now, name, password, start);
  }

  private Authentication authenticate(Found found, String name, Password password, long start) {
    return switch (found) {
      case Found.None() -> refuseUnknownPerson(password, RefusedReason.UNKNOWN_NAME, start);
      case Found.Several() -> refuseUnknownPerson(password, RefusedReason.AMBIGUOUS_NAME, start);
      case Found.One(var read) -> {
        BindVerdict verdict = servers.run(Use.BIND, c -> BindVerdict.of(c, read.value().getDN(), password));
        Authentication answer = verdict instanceof BindVerdict.Wrong(var reason) ? refuse(reason, start) : accepted(verdict, read);
        if (answer instanceof Authentication.Accepted && reader.mayKeepEntries()) {
          entries.asMap().merge(name, read, Kept::later);
        }
        yield answer;
      }
    };
  }

  /** @param name as it is sought */
  private Found lookUp(String name) {
    return name.isEmpty() ? new Found.None() : servers.run(Use.SEARCH, c -> reader.byName(c, name));
  }

  /** @param verdict not {@link BindVerdict.Wrong} */
  private Authentication accepted(BindVerdict verdict, Kept<SearchResultEntry> entry) {
    Optional<Person> person = person(entry);
    if (person.isEmpty()) {
      return new Authentication.Refused(RefusedReason.INCOMPLETE_ENTRY);
    }
    return verdict instanceof BindVerdict.MustChange(boolean expired, _)
        ? new Authentication.MustChangePassword(person.get(), expired)
        : new Authentication.Accepted(person.get());
  }

  private Authentication.Refused refuse(RefusedReason reason, long start) {
    delay.pause(start, true);
    return new Authentication.Refused(reason);
  }

  /** Refuses an unknown name with as much work for the directory, and as much time, as for a known name if possible. */
  private Authentication.Refused refuseUnknownPerson(Password password, RefusedReason reason, long start) {
    BindVerdict verdict = servers.run(Use.BIND, c -> BindVerdict.of(c, decoyDn, password));
    if (!(verdict instanceof BindVerdict.Wrong)) {
      LOG.error("the directory accepts a bind as {}, which does not exist", decoyDn);
    }
    delay.pause(start, false);
    return new Authentication.Refused(reason);
  }

  private Optional<Person> person(Kept<SearchResultEntry> kept) {
    SearchResultEntry entry = kept.value();
    return switch (reader.groupsIn(entry).orElseGet(() -> servers.run(Use.SEARCH, c -> reader.groups(c, entry.getDN())))) {
      case PersonReader.Groups.Known(List<String> names) -> {
        Optional<Person> person = reader.person(entry, names);
        if (person.isEmpty()) {
          LOG.error("{} lacks the attribute of its id or its name, so it cannot log in", entry.getDN());
        }
        Optional<Person> enabled = person.filter(_ -> !AccountState.isDisabled(entry));
        enabled.ifPresent(p -> people.asMap().merge(p.id(), new Kept<>(p, kept.readAt()), Kept::later));
        yield person;
      }
      case PersonReader.Groups.Unknown(String why) -> {
        LOG.error("{} cannot log in, because not all groups are known: {}", entry.getDN(), why);
        yield Optional.empty();
      }
    };
  }

  @Override
  public Optional<Person> find(PersonId id) {
    return lately(id).or(() -> only(id, false));
  }

  @Override
  public Optional<Person> findEnabled(PersonId id) {
    return only(id, true);
  }

  @Override
  public Optional<Person> findStillEnabled(PersonId id) {
    return lately(id).or(() -> findEnabled(id));
  }

  private Optional<Person> lately(PersonId id) {
    return Optional.ofNullable(people.getIfPresent(id)).filter(known -> known.isYounger(FRESH)).map(Kept::value);
  }

  private Optional<Person> only(PersonId id, boolean enabled) {
    return switch (servers.run(Use.SEARCH, c -> reader.byId(c, id))) {
      case Found.One(var read) when enabled && AccountState.isDisabled(read.value()) -> Optional.empty();
      case Found.One(var read) -> person(read);
      case Found.None() -> Optional.empty();
      case Found.Several() -> {
        LOG.error("several entries have the id {}", id);
        yield Optional.empty();
      }
    };
  }

  @Override
  public PersonSearch findBy(String attribute, String value) {
    return findBy(attribute, value, false, this::person);
  }

  @Override
  public PersonSearch findEnabled(String attribute, String value) {
    return findBy(attribute, value, true, this::person);
  }

  @Override
  public PersonSearch findEnabledAlone(String attribute, String value) {
    return findBy(attribute, value, true, entry -> reader.person(entry.value(), List.of()));
  }

  private PersonSearch findBy(String attribute, String value, boolean enabled, Function<Kept<SearchResultEntry>, Optional<Person>> person) {
    if (!StringPreparation.keeps(value)) {
      return new PersonSearch.None();
    }
    return switch (servers.run(Use.SEARCH, c -> reader.by(c, attribute, value))) {
      case Found.One(var read) when enabled && AccountState.isDisabled(read.value()) -> new PersonSearch.None();
      case Found.One(var read) -> person.apply(read).<PersonSearch>map(PersonSearch.One::new).orElseGet(PersonSearch.None::new);
      case Found.None() -> new PersonSearch.None();
      case Found.Several() -> new PersonSearch.Several();
    };
  }

  @Override
  public Map<String, NameOwner> owners(Collection<String> loginNames) {
    return new NameOwners(servers, reader, config).of(loginNames);
  }

  @Override
  public PeopleSearch.Outcome people(PeopleSearch.Query query, LongConsumer read) {
    PeopleSearch search = new PeopleSearch(config, query);
    return servers.run(Use.SEARCH, c -> search.all(c, read));
  }

  @Override
  public Set<PersonId> present(PeopleSearch.Query query, List<PersonId> asked) {
    PeopleSearch search = new PeopleSearch(config, query);
    return servers.run(Use.SEARCH, c -> search.present(c, asked));
  }

  @Override
  public Set<PersonId> existing(List<PersonId> asked) {
    PeopleSearch search = new PeopleSearch(config, PeopleSearch.Query.EVERYWHERE);
    return servers.run(Use.SEARCH, c -> search.existing(c, asked));
  }

  @Override
  public PasswordChange changePassword(String loginName, Password old, Password replacement) {
    if (old.unreadable().isPresent()) {
      return new PasswordChange.Refused();
    }
    Optional<PasswordChange> unfit = PasswordChange.unfit(replacement);
    if (unfit.isPresent()) {
      return unfit.get();
    }
    long start = System.nanoTime();
    boolean isSent = false;
    try {
      switch (lookUp(LoginNames.sought(loginName))) {
        case Found.None() -> refuseUnknownPerson(old, RefusedReason.UNKNOWN_NAME, start);
        case Found.Several() -> refuseUnknownPerson(old, RefusedReason.AMBIGUOUS_NAME, start);
        case Found.One(var read) -> {
          isSent = true;
          return change(read, old, replacement, start);
        }
      }
      return new PasswordChange.Refused();
    } catch (DirectoryUnavailable e) {
      return new PasswordChange.Unavailable(String.valueOf(e.getMessage()), isSent);
    }
  }

  @Override
  public PasswordChange resetPassword(PersonId person, Password replacement) {
    Optional<PasswordChange> unfit = PasswordChange.unfit(replacement);
    if (unfit.isPresent()) {
      return unfit.get();
    }
    boolean isSent = false;
    try {
      if (!(servers.run(Use.SEARCH, c -> reader.byId(c, person)) instanceof Found.One(var read))) {
        return new PasswordChange.Refused();
      }
      isSent = true;
      PasswordModify.Outcome outcome = servers.run(Use.SEARCH, c -> modify.resetAsTheService(c, read.value().getDN(), replacement));
      return result(read, outcome, System.nanoTime());
    } catch (DirectoryUnavailable e) {
      return new PasswordChange.Unavailable(String.valueOf(e.getMessage()), isSent);
    }
  }

  private PasswordChange change(Kept<SearchResultEntry> read, Password old, Password replacement, long start) {
    String dn = read.value().getDN();
    PasswordModify.Outcome outcome = servers.run(Use.BIND, c -> modify.asThePerson(c, dn, old, replacement));
    if (outcome instanceof PasswordModify.Outcome.NotBound) {
      outcome = servers.run(Use.SEARCH, c -> modify.asTheService(c, dn, old, replacement));
    }
    return result(read, outcome, start);
  }

  private PasswordChange result(Kept<SearchResultEntry> read, PasswordModify.Outcome outcome, long start) {
    return switch (outcome) {
      case PasswordModify.Outcome.Done() ->
          person(read).<PasswordChange>map(PasswordChange.Changed::new).orElseGet(PasswordChange.Refused::new);
      case PasswordModify.Outcome.WrongOld() -> {
        delay.pause(start, true);
        yield new PasswordChange.Refused();
      }
      case PasswordModify.Outcome.Fault(PasswordChange.Fault fault, String why) -> new PasswordChange.NotGoodEnough(fault, why);
      case PasswordModify.Outcome.NotBound() -> new PasswordChange.NotGoodEnough(PasswordChange.Fault.NOT_ALLOWED, "");
      case PasswordModify.Outcome.Unknown(String why) -> new PasswordChange.Unavailable(why, true);
    };
  }

  /** Returns the pairs of people and partners' names in that attribute of people's entries. */
  NamePairs namePairs(NamePairs.Kind kind, String attribute, InstantSource time) {
    return namePairs.computeIfAbsent(
        new PairStore(kind, attribute),
        place -> new CachedNamePairs(new DirectoryNamePairs(new FederationEntries(servers, config, attribute), kind, time), PAIRS_FRESH));
  }

  @Override
  public boolean isAvailable() {
    return servers.isAnyUp();
  }

  @Override
  public void close() {
    servers.close();
  }

  LdapServers servers() {
    return servers;
  }

  DirectoryConfig config() {
    return config;
  }
}

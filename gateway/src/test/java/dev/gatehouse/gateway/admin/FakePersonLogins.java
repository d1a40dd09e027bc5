package dev.gatehouse.gateway.admin;

import dev.gatehouse.common.admin.PersonLogins;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.session.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** An OpenID provider of the realm {@code demo} for which the test says who logs in. */
public final class FakePersonLogins implements PersonLogins {

  public static final String ISSUER = "http://idp.localhost/realms/demo";

  private record Issued(String nonce, String challenge, String redirectUri, PersonLogin login) {}

  private final Map<String, Issued> codes = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  /** Those in the directory. */
  public final List<Person> people = new ArrayList<>();

  /** Whether the directory does not answer. */
  public boolean down;

  /** Ids of sessions at the provider that have ended. */
  public final Set<SessionId> ended = new HashSet<>();

  /** Adds a person to the directory, whose id is the name with {@code -id} behind it. */
  public Person add(String name) {
    Person person = new Person(new PersonId(name + "-id"), name, "uid=" + name, Map.of(), List.of(), Set.of());
    people.add(person);
    return person;
  }

  /** The login of a person in a session of the person's name. */
  public static PersonLogin login(Person person, Instant at) {
    return new PersonLogin("demo", person.id(), person.name(), at, new SessionId(person.name()));
  }

  /** Answers an authorization request with a code. */
  public String issue(Map<String, String> request, PersonLogin login) {
    String code = "code-" + codes.size();
    codes.put(code, new Issued(of(request, "nonce"), of(request, "code_challenge"), of(request, "redirect_uri"), login));
    return code;
  }

  private static String of(Map<String, String> request, String name) {
    return Objects.requireNonNull(request.get(name), name);
  }

  @Override
  public Optional<Provider> provider(String realm) {
    return realm.equals("demo") ? Optional.of(new Provider(ISSUER, ISSUER + "/oauth/authorize")) : Optional.empty();
  }

  @Override
  public Result<PersonLogin, Refusal> redeem(String realm, EdgeRequest request, CodeRedemption sent) {
    Issued issued = codes.get(sent.code());
    if (issued == null) {
      return Result.refused(Refusal.CODE_UNKNOWN);
    }
    if (!used.add(sent.code())) {
      return Result.refused(Refusal.CODE_REPLAYED);
    }
    if (!issued.redirectUri().equals(sent.redirectUri())) {
      return Result.refused(Refusal.CODE_OF_ANOTHER);
    }
    if (!issued.challenge().equals(Sha256.base64Url(sent.codeVerifier()))) {
      return Result.refused(Refusal.CODE_VERIFIER);
    }
    return issued.nonce().equals(sent.nonce()) ? Result.accepted(issued.login()) : Result.refused(Refusal.NONCE);
  }

  @Override
  public Optional<Person> current(EdgeRequest request, PersonLogin login) {
    if (down) {
      throw new DirectoryUnavailable("the test's");
    }
    return ended.contains(login.session())
        ? Optional.empty()
        : people.stream().filter(person -> person.id().equals(login.person())).findFirst();
  }

  @Override
  public boolean isEnabled(String realm, PersonId person) {
    return find(realm, person.value()).isPresent();
  }

  @Override
  public Optional<Person> find(String realm, String nameOrId) {
    return people.stream().filter(person -> person.name().equals(nameOrId) || person.id().value().equals(nameOrId)).findFirst();
  }
}

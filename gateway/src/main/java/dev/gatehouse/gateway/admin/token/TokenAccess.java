package dev.gatehouse.gateway.admin.token;

import dev.gatehouse.common.admin.AdminResource.PersonReference;
import dev.gatehouse.common.admin.PersonRecords;
import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.admin.TokenDesk.Refusal;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.gateway.admin.web.AdminRights;
import dev.gatehouse.gateway.admin.web.AdministratorPeople;
import dev.gatehouse.gateway.admin.web.BadRequest;
import dev.gatehouse.gateway.admin.web.Conflict;
import dev.gatehouse.gateway.admin.web.NotFound;
import dev.gatehouse.gateway.admin.web.RightsWatch;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds tokens and people, and refuses whom the administrator may not act on. */
final class TokenAccess {

  private static final int LONGEST = 1500;

  private final Realms realms;
  private final Optional<TokenDesk> desk;
  private final PersonRecords records;
  private final AdministratorPeople people;
  private final RightsWatch watch;

  /** @param desk empty on a node without identity provider */
  TokenAccess(Realms realms, Optional<TokenDesk> desk, PersonRecords records, AdministratorPeople people, RightsWatch watch) {
    this.realms = realms;
    this.desk = desk;
    this.records = records;
    this.people = people;
    this.watch = watch;
  }

  /** Returns the tokens of a realm that takes tokens. */
  TokenDesk desk(String realm) {
    realm(realm);
    TokenDesk here = desk.orElseThrow(NotFound::identityProvider);
    if (!here.isOn(realm)) {
      throw new NotFound(Refusal.TOKENS_OFF.sentence());
    }
    return here;
  }

  TokenView find(String realm, String serial) {
    return desk(realm).find(realm, serial).orElseThrow(() -> refused(Refusal.TOKEN_UNKNOWN));
  }

  /** Returns a token that the administrator may act on: nobody acts on that of a person with more power than their own. */
  TokenView permitted(String realm, String serial) {
    TokenView token = find(realm, serial);
    token.person().ifPresent(person -> people.requireMayActOn(realm, person));
    return token;
  }

  /** Returns whether the administrator may act on the person of the token, if it has one. */
  boolean mayActOn(String realm, TokenView token) {
    return token.person().filter(person -> !people.mayActOn(realm, person)).isEmpty();
  }

  PersonReference person(String realm, String person) {
    if (person.isBlank() || person.length() > LONGEST) {
      throw new BadRequest("`person` is a user name or id.");
    }
    return records.find(realm(realm), person);
  }

  /** Returns a person whom the administrator may act on. */
  PersonReference permittedPerson(String realm, String person) {
    PersonReference who = person(realm, person);
    people.requireMayActOn(realm, who.id(), who.name());
    people.requireMayActOn(realm, who.id());
    return who;
  }

  /** Returns what tells the rights of an administrator while a job goes on after the request. */
  Supplier<Optional<AdminRights>> present(AdminRights begun) {
    return watch.hold(begun);
  }

  /** Throws {@link Conflict} unless the administrator with these rights may act on the person, in a job that goes on after the request. */
  void requirePermitted(AdminRights rights, String realm, PersonReference person) {
    people
        .refusal(rights, realm, person.id(), person.name())
        .ifPresent(
            sentence -> {
              throw new Conflict(sentence);
            });
  }

  private Realm realm(String name) {
    return realms.find(name).orElseThrow(() -> NotFound.realm(name));
  }

  /** Returns the value, or throws what its refusal means in HTTP. */
  static <T> T accepted(Result<T, Refusal> result) {
    return switch (result) {
      case Result.Accepted<T, Refusal>(T value) -> value;
      case Result.Refused<T, Refusal>(Refusal refusal) -> throw refused(refusal);
    };
  }

  static RuntimeException refused(Refusal refusal) {
    return switch (refusal) {
      case TOKENS_OFF, TOKEN_UNKNOWN, PERSON_UNKNOWN -> new NotFound(refusal.sentence());
      case HAS_OWNER, HAS_NO_OWNER, TOO_MANY, CHANGED, IS_LOST, IS_APP, NOT_LOST, SERIAL_IN_USE, REPLACEMENT_NOT_FREE, CODES_WRONG,
          CODES_USED, NO_TOKEN, PERSON_GONE ->
          new Conflict(refusal.sentence());
    };
  }
}

package dev.gatehouse.idp.otp.people;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.KnownPerson;
import java.util.List;
import java.util.Map;

/** What the register has of a person. After an erasure, the next synchronisation adds whom the directory still has. */
public final class KnownPersonData implements AdminResource.PersonData {

  private static final String REGISTER = "tokenRegister";

  private final KnownPeople known;

  public KnownPersonData(KnownPeople known) {
    this.known = known;
  }

  @Override
  public Map<String, List<Map<String, Object>>> ofPerson(String realm, AdminResource.PersonReference person) {
    return Map.of(REGISTER, known.find(realm, new PersonId(person.id())).stream().map(KnownPersonData::entry).toList());
  }

  private static Map<String, Object> entry(KnownPerson person) {
    return Map.of(
        "name", person.name(), "displayName", person.displayName(), "mail", person.mail(), "place", person.place(), "groups", person.groups(),
        "status", person.status().name(), "since", person.seenAt());
  }

  @Override
  public Map<String, Integer> erase(String realm, AdminResource.PersonReference person, String by) {
    return Map.of(REGISTER, known.erase(realm, new PersonId(person.id())) ? 1 : 0);
  }
}

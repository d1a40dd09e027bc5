package dev.gatehouse.idp;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.mail.PersonNotices;
import dev.gatehouse.common.realm.Realm;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Notices that a test looks at; a person with an address in the directory gets them. */
final class RecordingNotices implements PersonNotices {

  /** A link that was sent. */
  record Sent(String person, String url, String language) {}

  final List<String> devices = new CopyOnWriteArrayList<>();
  final List<Sent> links = new CopyOnWriteArrayList<>();

  @Override
  public void newDevice(Realm realm, Person person, String address, String device) {
    devices.add(person.name() + " " + address + " " + device);
  }

  @Override
  public boolean passwordReset(Realm realm, Person person, Link link, String address, String language) {
    boolean hasAddress = !person.attributes().getOrDefault("mail", List.of()).isEmpty();
    if (hasAddress) {
      links.add(new Sent(person.name(), link.url(), language));
    }
    return hasAddress;
  }
}

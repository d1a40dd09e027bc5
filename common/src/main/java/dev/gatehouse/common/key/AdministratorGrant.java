package dev.gatehouse.common.key;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A role of an administrator in one realm, or in all. Written {@code ROLE} (all realms) or {@code ROLE@REALM}.
 *
 * @param realm empty for all realms, those that will be added included
 */
public record AdministratorGrant(AdministratorRole role, Optional<String> realm) {

  /** Everything in all realms. */
  public static final AdministratorGrant ALL = new AdministratorGrant(AdministratorRole.ADMIN, Optional.empty());

  private static final Pattern REALM = Pattern.compile("[a-z0-9-]{1,63}");

  /**
   * Parses the written form.
   *
   * @throws IllegalArgumentException with a message for the caller
   */
  public static AdministratorGrant parse(String text) {
    int at = text.indexOf('@');
    String word = at < 0 ? text : text.substring(0, at);
    AdministratorRole role =
        AdministratorRole.of(word)
            .orElseThrow(
                () -> new IllegalArgumentException("there is no role `" + word + "`; the roles are " + AdministratorRole.words()));
    Optional<String> realm = at < 0 ? Optional.empty() : Optional.of(text.substring(at + 1));
    if (realm.isPresent() && !REALM.matcher(realm.get()).matches()) {
      throw new IllegalArgumentException(
          "`" + text + "` has no name of a realm after @; a role for all realms is written without @, as in `" + word + "`");
    }
    return new AdministratorGrant(role, realm);
  }

  /** Returns whether the grant permits what needs a role in a realm. */
  public boolean permits(AdministratorRole needed, String inRealm) {
    return role.includes(needed) && realm.map(inRealm::equals).orElse(true);
  }

  /** Returns whether the grant permits what needs a role in all realms. */
  public boolean permitsEverywhere(AdministratorRole needed) {
    return role.includes(needed) && realm.isEmpty();
  }

  /** Returns the written form. */
  @Override
  public String toString() {
    return role.word() + realm.map(name -> "@" + name).orElse("");
  }
}

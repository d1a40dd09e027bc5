package dev.gatehouse.common.directory;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** The people of one realm. Blocks: call on virtual threads only. */
public interface Directory {

  /**
   * Authenticates by bind (RFC 4511, section 4.2). Takes about the same time whether the name exists or not. The name is taken
   * literally (RFC 4515 escaping).
   */
  Authentication authenticate(String loginName, Password password);

  /** Returns the person as of now; empty if the entry is gone. Throws {@link DirectoryUnavailable}. */
  Optional<Person> find(PersonId id);

  /**
   * Returns the person whose LDAP attribute has the value, among those who may log in. The value is taken literally and
   * compared by the attribute's matching rule. Throws {@link DirectoryUnavailable}.
   */
  PersonSearch findBy(String attribute, String value);

  /** Like {@link #findBy}, for a login without a password: nobody if the directory says that the account is disabled. */
  PersonSearch findEnabled(String attribute, String value);

  /** Like {@link #findEnabled(String, String)}, where nobody looks at groups and roles: the person has none of them then. */
  default PersonSearch findEnabledAlone(String attribute, String value) {
    return findEnabled(attribute, value);
  }

  /**
   * Returns the person as the directory says now, never as it said before, for a login without a password: empty if the entry is gone or
   * its account is disabled. Throws {@link DirectoryUnavailable}.
   */
  Optional<Person> findEnabled(PersonId id);

  /**
   * Like {@link #findEnabled(PersonId)}, for a session or a token that goes on: also as the directory said within the last half minute.
   */
  default Optional<Person> findStillEnabled(PersonId id) {
    return findEnabled(id);
  }

  /** Returns the owner of each of these login names, each taken literally. Throws {@link DirectoryUnavailable}. */
  Map<String, NameOwner> owners(Collection<String> loginNames);

  /**
   * Returns all people. Throws {@link DirectoryUnavailable} if no server answers to the end.
   *
   * @param read learns how many were read; it may throw, which ends the search
   */
  PeopleSearch.Outcome people(PeopleSearch.Query query, LongConsumer read);

  /** Returns those of the people that the same search finds now, each asked for by id. Throws {@link DirectoryUnavailable}. */
  Set<PersonId> present(PeopleSearch.Query query, List<PersonId> people);

  /** Returns those of the people whose entries are there, whatever filters say. Throws {@link DirectoryUnavailable}. */
  Set<PersonId> existing(List<PersonId> people);

  /** Changes the password with the person's own rights (RFC 3062), after verifying the old one. */
  PasswordChange changePassword(String loginName, Password old, Password replacement);

  /**
   * Sets the password of a person who proved their identity by other means, with the rights of the service account. Never {@link
   * PasswordChange.Refused} unless the entry is gone.
   */
  PasswordChange resetPassword(PersonId person, Password replacement);

  /** Returns whether a server is known to be up; does not contact one. */
  boolean isAvailable();
}

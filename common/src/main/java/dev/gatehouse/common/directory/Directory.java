package dev.gatehouse.common.directory;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/** The people of one realm. Blocks: call on virtual threads only. */
public interface Directory {

  /**
   * Authenticates by bind (RFC 4511, section 4.2). Spends about the same time whether the name exists or not. The name is
   * taken literally (RFC 4515 escaping).
   */
  Authentication authenticate(String loginName, Password password);

  /** The person now; empty where gone. Throws {@link DirectoryUnavailable}. */
  Optional<Person> find(PersonId id);

  /**
   * The person whose LDAP attribute has the value, taken literally, by the attribute's own matching rule; among those who may
   * log in. Throws {@link DirectoryUnavailable}.
   */
  PersonSearch findBy(String attribute, String value);

  /** Whose these login names are, each taken literally; for many at once. Throws {@link DirectoryUnavailable}. */
  Map<String, NameOwner> owners(Collection<String> loginNames);

  /** Changes the password as the person (RFC 3062), proving the old one. */
  PasswordChange changePassword(String loginName, Password old, Password replacement);

  /** Whether a server answers now, without asking one: the breaker's view. */
  boolean isAvailable();
}

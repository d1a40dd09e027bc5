package dev.gatehouse.common.revision;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.file.ProposedFiles;
import dev.gatehouse.common.realm.yaml.FileTree;
import java.util.Optional;
import java.util.Set;

/** The realms that a change may concern. */
public sealed interface ChangeScope {

  /** Returns the scope of administrators of all realms. */
  static ChangeScope all() {
    return new AllRealms();
  }

  /** Every file and every secret. */
  record AllRealms() implements ChangeScope {}

  /** The file, folder and secrets of one realm, with what {@code gatehouse.yaml} grants it. */
  record OneRealm(String realm) implements ChangeScope {}

  /** Returns whether a file of that path may be changed, and shown. */
  default boolean includesFile(String path) {
    return !(this instanceof OneRealm(String realm))
        || FileTree.isOfRealm(realm, path)
        || FileTree.isSecretPath(path) && FileTree.isSecretOfRealm(realm, path.substring(path.indexOf('/') + 1));
  }

  /** Returns whether a secret of that name may be changed. */
  default boolean includesSecret(String name) {
    return !(this instanceof OneRealm(String realm)) || FileTree.isSecretOfRealm(realm, name);
  }

  /** Returns whether something of that realm may be changed, and shown. */
  default boolean includesRealm(String name) {
    return !(this instanceof OneRealm(String realm)) || realm.equals(name);
  }

  /**
   * Returns the bounds for the reader of the files.
   *
   * @param secrets names of secrets that get new values
   */
  default Optional<ProposedFiles.OneRealm> bounds(Set<String> secrets, Node running) {
    return this instanceof OneRealm(String realm)
        ? Optional.of(new ProposedFiles.OneRealm(realm, secrets, running.listeners()))
        : Optional.empty();
  }
}

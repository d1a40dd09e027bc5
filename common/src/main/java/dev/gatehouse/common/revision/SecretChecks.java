package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.realm.yaml.YamlSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks of the secrets of a change.
 *
 * @param folder for the messages
 */
record SecretChecks(Path folder) {

  /**
   * Returns the problems.
   *
   * @param names of the secrets that the change brings
   */
  List<Problem> of(FileTree tree, Set<String> names, ChangeScope scope) {
    List<Problem> problems = new ArrayList<>();
    names.stream().filter(name -> !YamlSource.isSecretName(name)).forEach(name -> problems.add(badName()));
    names.stream().filter(name -> !scope.includesSecret(name)).forEach(name -> problems.add(foreignSecret()));
    tree.files().forEach((path, file) -> keyOf(path, file).ifPresent(problems::add));
    return problems;
  }

  private Problem foreignSecret() {
    return new Problem(folder, 0, "secrets", "a secret is not the realm's own", "begin its name with that of the realm and a dot");
  }

  private Problem badName() {
    return new Problem(folder, 0, "secrets", "a name has other characters than letters, digits, dots, hyphens and _", "choose another one");
  }

  /** A private key beside certificates would be stored with them, and shown. */
  private Optional<Problem> keyOf(String path, FileTree.File file) {
    return file.isSecret() && !FileTree.isSecretPath(path)
        ? Optional.of(
            new Problem(
                folder.resolve(path), 0, "-", "has a private key", "store the key as a secret, and write {secret: NAME} where it is named"))
        : Optional.empty();
  }
}

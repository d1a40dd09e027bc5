package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.crypto.CryptoProviders;
import dev.gatehouse.common.key.AuditSigningKey;
import dev.gatehouse.common.key.FileKeyRings;
import dev.gatehouse.common.key.KeyFolder;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.key.RegistrationKeys;
import dev.gatehouse.common.key.RotationStep;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.pkcs11.Pkcs11Tokens;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.file.Configuration;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.node.StoredKeys;
import dev.gatehouse.gateway.rotation.KeySteps;
import dev.gatehouse.gateway.rotation.ListedKey;
import dev.gatehouse.gateway.rotation.RunningNodeSteps;
import dev.gatehouse.gateway.rotation.StoredSteps;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./gatehouse keys}: the rotation of signing and decryption keys, one command for each step. */
@Command(
    name = "keys",
    mixinStandardHelpOptions = true,
    description = {
      "Signing and decryption keys of realms; keys of administrators, for the registration of clients and of the audit log.",
      "Rotation: `prepare` creates the next key and publishes it; when partners have updated the metadata, `promote` signs "
          + "with it; when no message signed with the old key is in transit any more, `retire` drops the old one. A running node "
          + "takes the step itself, through its REST API with a temporary key, and applies it within seconds. Each step is audited.",
      "Keys for encryption take the same steps. What partners encrypted to an old one is read for 15 days after "
          + "`retire`.",
      "Keys for tokens (IDP_TOKENS_...) too: clients look for new ones at the jwks_uri at the latest after 15 minutes, and "
          + "the old one may go when the last token that it signed has expired."
    },
    subcommands = {AdminKeysCommand.class, KeysCommand.RegistrationKeysCommand.class, AuditKeysCommand.class})
final class KeysCommand implements Runnable {

  static final String KEY_PREFIX = "keys-";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    CommandLine command = spec.commandLine();
    command.usage(command.getOut());
  }

  /** The key ring that a command changes. */
  static final class Ring {
    @Mixin private ConfigurationOption where = new ConfigurationOption();

    @Option(names = "--realm", required = true, paramLabel = "NAME", description = "The realm.")
    private String realm = "";

    @Option(names = "--use", required = true, description = "The use of the keys: ${COMPLETION-CANDIDATES}.")
    private KeyUse use = KeyUse.IDP_SIGNING;

    private KeyFolder folder(Configuration configuration, StoredKeys stored, Pkcs11Tokens tokens) {
      Realm found = find(configuration, realm);
      return rings(configuration, stored, tokens)
          .folder(found, use)
          .orElseThrow(
              () -> new StartRefused("Realm " + realm + " has a configured key: rotate it by configuring another one."));
    }
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "List the keys of all realms, and of the audit log.")
  int list(@Mixin ConfigurationOption where) throws PostgresUnusable {
    Configuration configuration = where.load();
    try (StoredKeys stored = StoredKeys.open(configuration.node());
        Pkcs11Tokens tokens = Pkcs11Tokens.of(configuration.node())) {
      list(configuration, rings(configuration, stored, tokens));
    }
    return ExitCode.OK;
  }

  private void list(Configuration configuration, FileKeyRings rings) {
    PrintWriter out = spec.commandLine().getOut();
    for (Realm realm : configuration.realms()) {
      for (KeyUse use : KeyUse.values()) {
        if (use.isIdp() ? realm.idp().isEmpty() : realm.sp().isEmpty()) {
          continue;
        }
        Optional<KeyFolder> folder = rings.folder(realm, use);
        if (folder.isPresent()) {
          print(out, realm.name() + " " + use, ListedKey.of(folder.get().load()));
        } else {
          print(out, realm.name() + " " + use, List.of(ListedKey.of("configured", rings.of(realm).current(use))));
        }
      }
    }
    new AuditSigningKey(configuration.node().data())
        .published()
        .ifPresent(
            key -> out.printf("audit log  current  %s  %s  until %s%n", key.id(), key.algorithm(), key.certificate().getNotAfter().toInstant()));
  }

  @Command(name = "prepare", mixinStandardHelpOptions = true, description = "Create the next key and publish it.")
  int prepare(@Mixin Ring ring) throws PostgresUnusable {
    return step(ring, RotationStep.PREPARE);
  }

  @Command(name = "promote", mixinStandardHelpOptions = true, description = "Make the next key the current one.")
  int promote(@Mixin Ring ring) throws PostgresUnusable {
    return step(ring, RotationStep.PROMOTE);
  }

  @Command(name = "retire", mixinStandardHelpOptions = true, description = "Drop the previous key.")
  int retire(@Mixin Ring ring) throws PostgresUnusable {
    return step(ring, RotationStep.RETIRE);
  }

  private int step(Ring ring, RotationStep step) throws PostgresUnusable {
    Node node = ConfigurationOption.loadNode(ring.where.folder()).node();
    try {
      List<ListedKey> after = NodeConnection.isRunning(node) ? atNode(node, ring, step) : atFiles(ring, step);
      print(spec.commandLine().getOut(), ring.realm + " " + ring.use, after);
      return ExitCode.OK;
    } catch (KeySteps.Refused e) {
      throw new StartRefused(String.valueOf(e.getMessage()));
    }
  }

  /** The node's process alone can write its audit log. */
  private static List<ListedKey> atNode(Node node, Ring ring, RotationStep step) {
    try (NodeApi api = NodeConnection.openRunning(node, KEY_PREFIX, "Nothing was changed.")) {
      return new RunningNodeSteps(api, ring.realm, ring.use).take(step);
    }
  }

  private static List<ListedKey> atFiles(Ring ring, RotationStep step) throws PostgresUnusable {
    Configuration configuration = ring.where.load();
    Node node = configuration.node();
    try (StoppedNode stopped = StoppedNode.complete(node, "keys " + step.word());
        StoredKeys stored = StoredKeys.open(node);
        Pkcs11Tokens tokens = Pkcs11Tokens.of(node)) {
      return new StoredSteps(ring.realm, ring.use, ring.folder(configuration, stored, tokens), stopped.audit()).take(step);
    }
  }

  private static void print(PrintWriter out, String of, List<ListedKey> keys) {
    keys.forEach(key -> out.printf("%s  %-10s  %s  %s  until %s%n", of, key.state(), key.id(), key.algorithm(), key.notAfter()));
  }

  private static Realm find(Configuration configuration, String name) {
    return configuration.realms().stream()
        .filter(realm -> realm.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new StartRefused("There is no realm " + name + "."));
  }

  private static FileKeyRings rings(Configuration configuration, StoredKeys stored, Pkcs11Tokens tokens) {
    StoppedNode.requireKeysInPlace(configuration.node());
    CryptoProviders.install();
    return new FileKeyRings(stored.place(), InstantSource.system(), new SecureRandom(), tokens);
  }

  /** {@code ./gatehouse keys registration}. */
  @Command(
      name = "registration",
      mixinStandardHelpOptions = true,
      description = {
        "Initial access tokens, which permit the registration of OAuth clients at /realms/NAME/connect/register.",
        "A new key is printed once and stored only as a digest; a running node accepts it from its next request on.",
        NamedKeysCommand.AUDITED
      })
  static final class RegistrationKeysCommand extends NamedKeysCommand {

    @Override
    NamedKeys keys(KeyPlace place) {
      return new RegistrationKeys(place, InstantSource.system(), new SecureRandom());
    }
  }
}

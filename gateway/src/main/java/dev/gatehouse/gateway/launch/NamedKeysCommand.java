package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.node.StoredKeys;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates, lists and revokes keys of one kind. */
abstract class NamedKeysCommand implements Callable<Integer> {

  /** Exactly one of these options is given. */
  static final class Action {
    @Option(names = "--name", paramLabel = "NAME", description = "Create a key with this name.")
    private Optional<String> name = Optional.empty();

    @Option(names = "--list", description = "List the keys.")
    private boolean list;

    @Option(names = "--revoke", paramLabel = "NAME", description = "Revoke the key with this name.")
    private Optional<String> revoke = Optional.empty();
  }

  @Mixin private ConfigurationOption where = new ConfigurationOption();

  @ArgGroup(multiplicity = "1")
  private Action action = new Action();

  @Spec private CommandSpec spec = CommandSpec.create();

  /** Opens the keys of the kind. */
  abstract NamedKeys keys(KeyPlace place);

  /** Checks the options of the kind; throws if they are wrong. */
  void check(boolean creates, CommandSpec spec) {}

  /**
   * Creates a key.
   *
   * @param realms reads the names of all realms; throws if the configuration is invalid
   */
  Creation create(NamedKeys keys, String name, Supplier<List<String>> realms) {
    return keys.create(name);
  }

  /** Returns the line of the list. */
  String line(NamedKey key) {
    return key.createdAt() + "  " + key.name();
  }

  @Override
  public Integer call() throws PostgresUnusable {
    check(action.name.isPresent(), spec);
    Node node = ConfigurationOption.loadNode(where.folder()).node();
    StoppedNode.requireKeysInPlace(node);
    try (StoredKeys stored = StoredKeys.open(node)) {
      return act(keys(stored.place()));
    }
  }

  private int act(NamedKeys keys) {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (action.list) {
      keys.list().forEach(key -> out.println(line(key)));
      return ExitCode.OK;
    }
    if (action.revoke.isPresent()) {
      boolean revoked = keys.revoke(action.revoke.get()).isPresent();
      (revoked ? out : err).println(revoked ? "Revoked." : "There is no key named " + action.revoke.get() + ".");
      return revoked ? ExitCode.OK : ExitCode.SOFTWARE;
    }
    return switch (create(keys, action.name.orElseThrow(), () -> where.load().realms().stream().map(Realm::name).sorted().toList())) {
      case Creation.Created created -> {
        out.println(created.secret());
        yield ExitCode.OK;
      }
      case Creation.Refused refused -> {
        err.println(refused.why());
        yield ExitCode.SOFTWARE;
      }
    };
  }
}

package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.KeyChange;
import dev.gatehouse.common.key.KeyPlace;
import dev.gatehouse.common.key.NamedKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.postgres.PostgresUnusable;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.cli.NodeApi;
import dev.gatehouse.gateway.cli.NodeCallFailed;
import dev.gatehouse.gateway.keychange.RunningNodeLog;
import dev.gatehouse.gateway.keychange.StoppedNodeLog;
import dev.gatehouse.gateway.node.StoredKeys;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.InstantSource;
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

/**
 * Creates, lists and revokes keys of one kind. A new key is in the audit log before it is made. A key is revoked before anything else
 * happens, because it may have leaked: that depends on no node, and is recorded afterwards.
 */
abstract class NamedKeysCommand implements Callable<Integer> {

  /** A paragraph of the help of each kind. */
  static final String AUDITED =
      "Making and revoking a key is audited: by the node that runs, through its REST API with a temporary key, otherwise by the command. "
          + "If that fails, no key is made, but a key is revoked all the same, and the exit code is 1.";

  private static final String UNANSWERED = "Nothing was recorded.";

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
   * Returns what a new key may do; none for a kind without grants.
   *
   * @param realms reads the names of all realms; throws if the configuration is invalid
   */
  List<AdministratorGrant> grants(Supplier<List<String>> realms) {
    return List.of();
  }

  /** Returns when a new key ends by itself; empty: never. */
  Optional<Instant> end() {
    return Optional.empty();
  }

  /** Creates the key. */
  Creation make(NamedKeys keys, KeyChange change) {
    return keys.create(change.name());
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
      return act(node, keys(stored.place()));
    }
  }

  private int act(Node node, NamedKeys keys) {
    if (action.list) {
      PrintWriter out = spec.commandLine().getOut();
      keys.list().forEach(key -> out.println(line(key)));
      return ExitCode.OK;
    }
    return action.revoke.isPresent() ? revoke(node, keys, action.revoke.get()) : create(node, keys, action.name.orElseThrow());
  }

  private int revoke(Node node, NamedKeys keys, String name) {
    Optional<NamedKey> key = keys.revoke(name);
    if (key.isEmpty()) {
      return failed("There is no key named " + name + ".");
    }
    spec.commandLine().getOut().println("Revoked.");
    KeyChange change = new KeyChange(keys.kind(), KeyChange.Step.REVOKE, name, key.get().grants(), key.get().expiresAt());
    try {
      record(node, change);
      return ExitCode.OK;
    } catch (RuntimeException e) {
      sayUnrecorded("The key " + name + " is revoked", change, e);
      throw e;
    }
  }

  private int create(Node node, NamedKeys keys, String name) {
    Optional<String> refusal = keys.refusal(name);
    if (refusal.isPresent()) {
      return failed(refusal.get());
    }
    List<AdministratorGrant> grants = grants(() -> where.load().realms().stream().map(Realm::name).sorted().toList());
    KeyChange change = new KeyChange(keys.kind(), KeyChange.Step.CREATE, name, grants, end());
    boolean isFirst = isFirst(keys);
    try {
      record(node, change);
    } catch (RuntimeException e) {
      if (!isFirst || !isUnanswered(e)) {
        failed("No key was made" + (isUncertain(e) ? ", though the audit log may say that one was." : "."));
      } else if (made(keys, change) == ExitCode.OK) {
        sayUnrecorded("The key " + name + " is made", change, e);
      }
      throw e;
    }
    return made(keys, change);
  }

  private int made(NamedKeys keys, KeyChange change) {
    return switch (make(keys, change)) {
      case Creation.Created created -> {
        spec.commandLine().getOut().println(created.secret());
        yield ExitCode.OK;
      }
      case Creation.Refused refused -> failed(refused.why());
    };
  }

  /** Without a key nobody administers the node: the first one is made where none answers, too. */
  private static boolean isFirst(NamedKeys keys) {
    Instant now = InstantSource.system().instant();
    return keys.kind() == KeyChange.Kind.ADMINISTRATOR && keys.list().stream().allMatch(key -> key.isExpired(now));
  }

  /** Returns whether no node said anything: a node that refuses, or an audit log that cannot be written, has the last word. */
  private static boolean isUnanswered(RuntimeException why) {
    return why instanceof StartRefused || isUncertain(why);
  }

  private static boolean isUncertain(RuntimeException why) {
    return why instanceof NodeCallFailed call && call.isUncertain();
  }

  private int failed(String why) {
    spec.commandLine().getErr().println(why);
    return ExitCode.SOFTWARE;
  }

  /** Says what was done without an event, and how to add that; the exception, which the caller throws, says why. */
  private void sayUnrecorded(String done, KeyChange change, RuntimeException why) {
    PrintWriter err = spec.commandLine().getErr();
    String log =
        isUncertain(why)
            ? ", but this may be missing in the audit log. Unless it is there, record it"
            : ", but this is not in the audit log. Record it";
    err.println(done + log + " as soon as a node answers:");
    err.println(
        "  echo '" + RunningNodeLog.json(change) + "' | ./gatehouse admin keys record-change --file - --config " + where.folder());
  }

  /** Writes the change into the audit log: the process that has the data open can do that, and no other. */
  private void record(Node node, KeyChange change) {
    if (NodeConnection.isRunning(node)) {
      try (NodeApi api = NodeConnection.openRunning(node, KeysCommand.KEY_PREFIX, UNANSWERED)) {
        new RunningNodeLog(api).record(change);
      }
      return;
    }
    try (StoppedNode stopped = StoppedNode.complete(node, "keys " + spec.name())) {
      new StoppedNodeLog(stopped.audit()).record(change);
    }
  }
}

package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node.Listeners;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.RealmGrant;
import dev.gatehouse.common.realm.file.ConfigurationFiles.ReadRealm;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import dev.gatehouse.common.realm.yaml.YamlSource;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Files that somebody proposes in place of those in use. They may name each other, and files that the configuration in use names
 * already; nothing else of the disk is read, so that no proposal finds out what is there.
 */
public final class ProposedFiles {

  /**
   * The result of reading proposed files.
   *
   * @param tree the files that would be in use, as far as they could be read
   * @param problems empty if the files could be used
   * @param result what was read; empty if nothing was
   */
  public record Plan(FileTree tree, List<Problem> problems, Optional<ConfigurationFiles.Result> result) {}

  /**
   * Names the only realm that proposed files may concern.
   *
   * @param secrets names of secrets that get new values
   * @param running the listeners that the node has
   */
  public record OneRealm(String realm, Set<String> secrets, Listeners running) {

    /**
     * Returns why the node may not connect to a URL for administrators of the realm alone; empty if it may.
     *
     * @param own the realm in use
     */
    public Optional<Problem> destination(ConfigurationFiles files, Optional<Realm> own, String url) {
      return GrantCheck.destination(files, this, own, url);
    }
  }

  /**
   * The bounds of files that concern one realm.
   *
   * @param named the files that the realm's file in use names, which it may go on naming
   */
  record Limit(OneRealm only, Path root, Set<Path> named) {

    /** Returns the realm's file. */
    Path file() {
      return root.resolve("realms").resolve(only.realm() + ".yaml");
    }

    /** Adds what exceeds the realm's grant to the problems of its file. */
    void report(Map<String, RealmGrant> grants, Optional<Listeners> configured, List<ReadRealm> realms) {
      Map<Boolean, List<ReadRealm>> parts = realms.stream().collect(Collectors.partitioningBy(read -> read.source().file().equals(file())));
      List<ReadRealm> others = parts.getOrDefault(false, List.of());
      List<Listeners> listeners = Stream.concat(configured.stream(), Stream.of(only.running())).toList();
      RealmGrant grant = grants.getOrDefault(only.realm(), RealmGrant.NONE);
      for (ReadRealm own : parts.getOrDefault(true, List.of())) {
        new GrantCheck(grant, listeners, own, others).report();
        foreignSecrets(own, others);
      }
    }

    /** A secret may have got its name before the realm had its own, for example as the name of a file that was imported. */
    private void foreignSecrets(ReadRealm own, List<ReadRealm> others) {
      NamedFiles files = own.source().files();
      Stream<Path> added = files.paths().stream().filter(path -> files.isSecret(path) && !named.contains(path));
      Stream<Path> changed = only.secrets().stream().map(root.resolve(YamlSource.SECRETS)::resolve);
      Stream.concat(added, changed)
          .filter(path -> others.stream().anyMatch(other -> other.source().files().paths().contains(path)))
          .map(path -> "the secret " + path.getFileName() + " is used elsewhere")
          .forEach(message -> own.source().problem(0, "secrets", message, "choose another name"));
    }
  }

  /** The folder of {@link Contents} beside the copy of a revision, in which no revision may have a file. */
  public static final String CONTENTS_FOLDER = ".contents";

  /** Keeps contents of a revision in the database on disk, for those who read files by themselves. */
  public interface Contents {
    Path onDisk(byte[] content);
  }

  private final ConfigurationFiles files;
  private final FileTree used;
  private final Set<Path> followed;
  private final Path root;
  private final Optional<Contents> revision;
  private final Optional<OneRealm> only;

  /** Creates the reader of files in place of those on disk. */
  public ProposedFiles(ConfigurationFiles files, Path root, FileTree used, Set<Path> followed) {
    this(files, root, used, followed, Optional.empty(), Optional.empty());
  }

  private ProposedFiles(
      ConfigurationFiles files, Path root, FileTree used, Set<Path> followed, Optional<Contents> revision, Optional<OneRealm> only) {
    this.files = files;
    this.used = used;
    this.followed = followed;
    this.root = root.toAbsolutePath().normalize();
    this.revision = revision;
    this.only = only;
  }

  /**
   * Creates the reader of files in place of those of a revision in the database.
   *
   * @param root the folder that paths of problems are in
   * @param used the files of the revision, with the contents of its secrets
   * @param only if administrators of one realm propose them
   */
  public static ProposedFiles ofRevision(
      ConfigurationFiles files, Path root, FileTree used, Contents contents, Optional<OneRealm> only) {
    return new ProposedFiles(files, root, used, Set.of(), Optional.of(contents), only);
  }

  /** Reads the files in use. */
  public Plan asTheyAre() {
    return plan(Map.of(), false);
  }

  /**
   * Reads proposed files.
   *
   * @param proposed contents by their paths within the configuration directory
   * @param complete whether realms without a file among them are removed
   */
  public Plan plan(Map<String, byte[]> proposed, boolean complete) {
    List<Problem> problems = new ArrayList<>();
    Map<Path, byte[]> contents = new HashMap<>();
    only.ifPresent(one -> outside(one, proposed.keySet(), complete, problems));
    proposed.forEach((name, content) -> within(name, problems).ifPresent(path -> contents.put(path, content)));
    Set<Path> realms = new TreeSet<>();
    contents.keySet().stream().filter(this::isRealm).forEach(realms::add);
    if (!complete) {
      used.files().keySet().stream().map(root::resolve).filter(this::isRealm).forEach(realms::add);
    }
    if (!problems.isEmpty()) {
      return new Plan(used, List.copyOf(problems), Optional.empty());
    }
    Optional<Limit> limit = limit();
    ConfigurationFiles.Result result = files.read(root, realms, sources(new Source(contents), limit), limit);
    List<Problem> found = limit.map(own -> shown(own, result.problems())).orElse(result.problems());
    return new Plan(withSecrets(result.tree()), found, Optional.of(result));
  }

  private Optional<Limit> limit() {
    return only.map(
        one -> {
          Path file = new Limit(one, root, Set.of()).file();
          return new Limit(one, root, files.named(file, new Source(Map.of())));
        });
  }

  private Function<Path, NamedFiles.Source> sources(Source all, Optional<Limit> limit) {
    return file -> limit.filter(own -> own.file().equals(file)).<NamedFiles.Source>map(own -> new OwnSource(all, own)).orElse(all);
  }

  private void outside(OneRealm one, Set<String> names, boolean complete, List<Problem> problems) {
    if (complete) {
      problems.add(new Problem(root, 0, "complete", "would remove other realms", "write false: the files are those of one realm"));
    }
    if (!used.files().containsKey("realms/" + one.realm() + ".yaml")) {
      problems.add(new Problem(root, 0, "files", "there is no realm " + one.realm(), "have an administrator of all realms add it"));
    }
    names.stream()
        .filter(name -> !FileTree.isOfRealm(one.realm(), name))
        .forEach(
            name ->
                problems.add(
                    new Problem(
                        root, 0, "files", "has a file that is not the realm's own",
                        "write realms/" + one.realm() + ".yaml, or a file in realms/" + one.realm() + "/")));
  }

  /** Says nothing of other realms to the administrator of one. */
  private static List<Problem> shown(Limit limit, List<Problem> problems) {
    return problems.stream()
        .map(
            problem ->
                problem.file().equals(limit.file())
                    ? withoutOwner(problem)
                    : new Problem(
                        limit.file(), 0, "-", "cannot be used together with the configuration of the node or of other realms",
                        "ask an administrator of all realms"))
        .distinct()
        .toList();
  }

  /**
   * Checks that text as the configuration of a realm of a revision.
   *
   * @param realm its file's problems are reported, and problems between several files
   */
  public ConfigurationFiles.Proposal propose(String realm, String text) {
    Collection<Path> realms = used.files().keySet().stream().map(root::resolve).filter(this::isRealm).toList();
    Optional<Limit> limit = limit();
    Function<Path, NamedFiles.Source> sources = sources(new Source(Map.of()), limit);
    ConfigurationFiles.Proposal proposal = files.propose(root, realms, file -> new NamedFiles(sources.apply(file)), limit, realm, text);
    return limit
        .map(own -> new ConfigurationFiles.Proposal(proposal.realm(), shown(own, proposal.problems()), proposal.filledIn()))
        .orElse(proposal);
  }

  private static Problem withoutOwner(Problem problem) {
    String message = problem.message().replaceFirst(WholeConfiguration.OWNER + ".*", ", which belongs to another realm");
    return new Problem(problem.file(), problem.line(), problem.key(), message, problem.remedy());
  }

  /** A secret of the configuration in use stays one, even if the proposal names it where a public file belongs. */
  private FileTree withSecrets(FileTree tree) {
    SortedMap<String, FileTree.File> marked = new TreeMap<>(tree.files());
    used.files().forEach((name, file) ->
        marked.computeIfPresent(name, (same, now) -> file.isSecret() ? new FileTree.File(now.content(), true) : now));
    return new FileTree(marked);
  }

  private Optional<Path> within(String name, Collection<Problem> problems) {
    if (revision.isPresent() && name.startsWith(CONTENTS_FOLDER)) {
      problems.add(new Problem(root, 0, "files", "a path begins with " + CONTENTS_FOLDER, "choose another folder: the node has its own files there"));
      return Optional.empty();
    }
    if (revision.isPresent() && FileTree.isSecretPath(name)) {
      problems.add(new Problem(root, 0, "files", "a path is that of a secret", "store secrets by their names, and write {secret: NAME}"));
      return Optional.empty();
    }
    try {
      Path path = root.resolve(name).normalize();
      if (!name.isEmpty() && path.startsWith(root) && root.relativize(path).toString().equals(name) && !name.equals(ConfigurationFiles.NODE)) {
        return Optional.of(path);
      }
    } catch (InvalidPathException e) {
      // Reported below.
    }
    String remedy = "write it within the configuration directory, like realms/demo.yaml; gatehouse.yaml is no part of it";
    problems.add(new Problem(root, 0, "files", "a path is not that of a file of realms", remedy));
    return Optional.empty();
  }

  private boolean isRealm(Path path) {
    return FileTree.realm(root.relativize(path).toString()).isPresent();
  }

  /** The files that the file of a realm may name if administrators of the realm change it. */
  private final class OwnSource implements NamedFiles.Source {
    private final Source all;
    private final Limit limit;

    OwnSource(Source all, Limit limit) {
      this.all = all;
      this.limit = limit;
    }

    private boolean permits(Path file) {
      String name = file.startsWith(root) ? root.relativize(file).toString() : file.toString();
      String realm = limit.only().realm();
      boolean isOwnSecret = FileTree.isSecretPath(name) && FileTree.isSecretOfRealm(realm, String.valueOf(file.getFileName()));
      return isOwnSecret || FileTree.isOfRealm(realm, name) || limit.named().contains(file);
    }

    @Override
    public Optional<byte[]> content(Path file) {
      return permits(file) ? all.content(file) : Optional.empty();
    }

    @Override
    public boolean isReadable(Path file) {
      return permits(file) && all.isReadable(file);
    }

    @Override
    public Path onDisk(Path file) {
      return permits(file) ? all.onDisk(file) : file;
    }

    @Override
    public boolean isRevision() {
      return all.isRevision();
    }
  }

  private final class Source implements NamedFiles.Source {
    private final Map<Path, byte[]> contents;

    Source(Map<Path, byte[]> contents) {
      this.contents = contents;
    }

    @Override
    public Optional<byte[]> content(Path file) {
      byte[] proposed = contents.get(file);
      String name = file.startsWith(root) ? root.relativize(file).toString() : file.toString();
      return proposed != null
          ? Optional.of(proposed).filter(bytes -> bytes.length <= NamedFiles.LARGEST)
          : Optional.ofNullable(used.files().get(name)).map(FileTree.File::content);
    }

    @Override
    public boolean isReadable(Path file) {
      return contents.containsKey(file) || followed.contains(file) && Files.isReadable(file);
    }

    @Override
    public Path onDisk(Path file) {
      return revision.flatMap(place -> content(file).map(place::onDisk)).orElse(file);
    }

    @Override
    public boolean isRevision() {
      return revision.isPresent();
    }
  }
}

package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.RealmGrant;
import dev.gatehouse.common.realm.file.ProposedFiles.Limit;
import dev.gatehouse.common.realm.yaml.FileTree;
import dev.gatehouse.common.realm.yaml.NamedFiles;
import dev.gatehouse.common.realm.yaml.YamlDocument;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.common.realm.yaml.YamlSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A configuration directory: {@code gatehouse.yaml} and {@code realms/NAME.yaml}.
 *
 * <pre>{@code
 * Configuration configuration = new ConfigurationFiles(dir, System.getenv()).load();
 * }</pre>
 */
public final class ConfigurationFiles {

  /** The file of the node. */
  public static final String NODE = "gatehouse.yaml";
  private static final String REALMS = "realms";
  private static final String IN_USE = "configuration";
  private static final Function<Path, NamedFiles> ON_DISK = file -> new NamedFiles();
  static final String REALM_NAME = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

  private final Path directory;
  private final Map<String, String> environment;

  /** @param environment the variables for {@code ${NAME}}: {@link System#getenv()} in production */
  public ConfigurationFiles(Path directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
  }

  /** Returns the directory of {@code gatehouse.yaml}. */
  public Path directory() {
    return directory;
  }

  /** Returns the folder in the node's data with a copy of the revision in use, for {@link Configuration.Source#DATABASE}. */
  public static Path inUse(Node node) {
    return node.data().resolve(IN_USE);
  }

  /**
   * Reads the realms' files beside {@code gatehouse.yaml}, even if the database holds the configuration; without any, the copy of the
   * revision in use.
   */
  public Result check() {
    return Files.isDirectory(directory.resolve(REALMS)) ? readBeside() : read();
  }

  /** Returns the configuration; throws with every problem if there is any. */
  public Configuration load() throws ConfigurationInvalid {
    return read().configuration();
  }

  /**
   * Returns the configuration of the node and the place of its realms; without these where they are revisions in the database.
   *
   * @throws ConfigurationInvalid with every problem
   */
  public Configuration loadNode() throws ConfigurationInvalid {
    NodeFile file = nodeFile();
    if (file.source() == Configuration.Source.FILES) {
      return load();
    }
    List<Problem> problems = new ArrayList<>();
    collect(file.yaml(), problems);
    return new Configuration(
        file.node().filter(node -> problems.isEmpty()).orElseThrow(() -> new ConfigurationInvalid(problems)), file.source(), List.of());
  }

  /** Reads the realms' files beside {@code gatehouse.yaml}, even if the database holds the configuration. */
  public Result readBeside() {
    List<Problem> problems = new ArrayList<>();
    return read(nodeFile(), directory, realms(realmFiles(directory, problems), ON_DISK), problems, Optional.empty());
  }

  /** Returns the reader of one file, to fill in variables. */
  public YamlSource source(Path file) {
    return new YamlSource(file, environment, ConfigurationSchema::places);
  }

  /** {@code gatehouse.yaml}, as far as it could be read. */
  private record NodeFile(
      YamlSource yaml, Optional<YamlSection> root, Optional<Node> node, Configuration.Source source, Map<String, RealmGrant> grants) {

    /** Returns the folder of {@code realms/}. */
    Path realmsRoot(Path beside) {
      return source == Configuration.Source.FILES
          ? beside
          : node.map(ConfigurationFiles::inUse).filter(folder -> Files.isDirectory(folder.resolve(REALMS))).orElse(beside);
    }
  }

  private NodeFile nodeFile() {
    YamlSource yaml = new YamlSource(directory.resolve(NODE), environment, ConfigurationSchema::places);
    Optional<YamlSection> root = YamlDocument.root(yaml, NodeYaml.KEYS);
    Optional<NodeYaml> reader = root.map(NodeYaml::new);
    return new NodeFile(
        yaml, root, reader.map(NodeYaml::read), reader.map(NodeYaml::source).orElse(Configuration.Source.FILES),
        reader.map(NodeYaml::grants).orElse(Map.of()));
  }

  /**
   * The result of reading.
   *
   * @param nodeFiles changes with the content of the files that {@code gatehouse.yaml} names; a comment in that file does
   *     not change it
   * @param files every file that was read or looked for, with the content that was used
   * @param root the folder of {@code realms/}
   * @param realmFiles the files of the realms
   * @param filledIn values of environment variables in the files of the realms
   */
  public record Result(
      Optional<Configuration> usable,
      List<Problem> problems,
      String nodeFiles,
      NamedFiles files,
      Path root,
      NamedFiles realmFiles,
      Set<String> filledIn) {

    /** Does not contain values. */
    @Override
    public String toString() {
      return "Result" + problems;
    }

    /** Returns the configuration; throws with every problem if there is any. */
    public Configuration configuration() throws ConfigurationInvalid {
      return usable.orElseThrow(() -> new ConfigurationInvalid(problems));
    }

    /** Returns the files of the realms that exist. */
    public FileTree tree() {
      return FileTree.of(root, realmFiles);
    }
  }

  /**
   * Reads the configuration with that text in place of the realm's file. Nothing is written, and nothing takes effect.
   *
   * @param realm its file's problems are reported, and problems between several files
   */
  public Proposal propose(String realm, String text) {
    Path root = nodeFile().realmsRoot(directory);
    return propose(root, realmFiles(root, new ArrayList<>()), ON_DISK, Optional.empty(), realm, text);
  }

  /** As {@link #propose(String, String)}, with files that are not on disk. */
  Proposal propose(Path root, Collection<Path> inUse, Function<Path, NamedFiles> named, Optional<Limit> limit, String realm, String text) {
    Path file = root.resolve(REALMS).resolve(realm + ".yaml");
    if (!realm.matches(REALM_NAME)) {
      String remedy = "use lower-case letters, digits and hyphens";
      return new Proposal(Optional.empty(), List.of(new Problem(file, 0, "-", "is not the name of a realm", remedy)), Set.of());
    }
    List<Problem> problems = new ArrayList<>();
    List<ReadRealm> realms = new ArrayList<>(realms(inUse.stream().filter(other -> !other.equals(file)).toList(), named));
    YamlSource source = new YamlSource(file, environment, ConfigurationSchema::places, named.apply(file));
    source.files().assume(file, text.getBytes(StandardCharsets.UTF_8));
    ReadRealm proposed = realm(source);
    realms.add(proposed);
    NodeFile node = nodeFile();
    check(node, realms, limit);
    collect(source, problems);
    return new Proposal(proposed.realm().filter(r -> problems.isEmpty()), List.copyOf(problems), Set.copyOf(source.filledIn()));
  }

  /**
   * The result of a proposed text.
   *
   * @param realm present if there is no problem
   * @param filledIn values of environment variables in it, which the proposer must not see
   */
  public record Proposal(Optional<Realm> realm, List<Problem> problems, Set<String> filledIn) {
    /** Does not contain values. */
    @Override
    public String toString() {
      return "Proposal" + problems;
    }
  }

  /** Reads what is in use: the realms' files, or the copy of the revision. */
  public Result read() {
    List<Problem> problems = new ArrayList<>();
    NodeFile node = nodeFile();
    Path root = node.realmsRoot(directory);
    return read(node, root, realms(realmFiles(root, problems), ON_DISK), problems, Optional.empty());
  }

  /**
   * Reads files in place of those on disk; {@code gatehouse.yaml} and the files of variables stay those on disk.
   *
   * @param root the folder of {@code realms/}
   * @param realmFiles their paths
   * @param source the files that each of them may name
   * @param limit if administrators of one realm propose the files
   */
  Result read(Path root, Collection<Path> realmFiles, Function<Path, NamedFiles.Source> source, Optional<Limit> limit) {
    List<Problem> problems = new ArrayList<>();
    if (realmFiles.isEmpty()) {
      problems.add(noRealm(root));
    }
    return read(nodeFile(), root, realms(realmFiles, file -> new NamedFiles(source.apply(file))), problems, limit);
  }

  /** Checks proposed files in place of those on disk; as the running node does, for a command that runs without the node. */
  public ProposedFiles.Plan plan(Map<String, byte[]> proposed, boolean complete) {
    Result read = read();
    return new ProposedFiles(this, read.root(), read.tree(), read.realmFiles().followed()).plan(proposed, complete);
  }

  /** Returns the files of realms beside {@code gatehouse.yaml} and those that they name, as far as they can be read. */
  public NamedFiles named(Predicate<String> realmFile) {
    List<Path> files = realmFiles(directory, new ArrayList<>()).stream().filter(file -> realmFile.test(file.getFileName().toString())).toList();
    return NamedFiles.union(realms(files, ON_DISK).stream().map(read -> read.source().files()).toList());
  }

  /** Returns the files that a realm's file names, itself among them. */
  Set<Path> named(Path realmFile, NamedFiles.Source source) {
    return realm(new YamlSource(realmFile, environment, ConfigurationSchema::places, new NamedFiles(source))).source().files().paths();
  }

  private static void check(NodeFile nodeFile, List<ReadRealm> realms, Optional<Limit> limit) {
    nodeFile.root().ifPresent(section -> nodeFile.node().ifPresent(n -> new WholeConfiguration(section, n, realms).report()));
    limit.ifPresent(l -> l.report(nodeFile.grants(), nodeFile.node().map(Node::listeners), realms));
  }

  private static Result read(NodeFile nodeFile, Path root, List<ReadRealm> realms, List<Problem> problems, Optional<Limit> limit) {
    YamlSource nodeSource = nodeFile.yaml();
    check(nodeFile, realms, limit);
    List<YamlSource> sources = Stream.concat(Stream.of(nodeSource), realms.stream().map(ReadRealm::source)).toList();
    sources.forEach(source -> collect(source, problems));
    String nodeFiles = HexFormat.of().formatHex(nodeSource.files().digestOfOthers(nodeSource.file()));
    List<Realm> values = realms.stream().flatMap(read -> read.realm().stream()).toList();
    Optional<Configuration> usable =
        nodeFile.node().filter(n -> problems.isEmpty()).map(n -> new Configuration(n, nodeFile.source(), values));
    NamedFiles files = NamedFiles.union(sources.stream().map(YamlSource::files).toList());
    NamedFiles realmFiles = NamedFiles.union(realms.stream().map(read -> read.source().files()).toList());
    Set<String> filledIn = realms.stream().flatMap(read -> read.source().filledIn().stream()).collect(Collectors.toUnmodifiableSet());
    return new Result(usable, List.copyOf(problems), nodeFiles, files, root, realmFiles, filledIn);
  }

  /** The realm of one file, as far as it could be read. */
  record ReadRealm(YamlSource source, Optional<YamlSection> root, Optional<Realm> realm) {}

  private static void collect(YamlSource source, List<Problem> problems) {
    source.problems().stream().sorted(Comparator.comparingInt(Problem::line)).forEach(problems::add);
  }

  private List<ReadRealm> realms(Collection<Path> realmFiles, Function<Path, NamedFiles> files) {
    return realmFiles.stream()
        .map(file -> realm(new YamlSource(file, environment, ConfigurationSchema::places, files.apply(file))))
        .toList();
  }

  private static ReadRealm realm(YamlSource source) {
    String file = String.valueOf(source.file().getFileName());
    String name = file.replaceFirst("\\.ya?ml$", "");
    if (file.endsWith(".yml")) {
      source.problem(0, "-", "would not be read", "rename it to " + name + ".yaml");
    }
    if (!name.matches(REALM_NAME)) {
      source.problem(0, "-", "its name is not that of a realm", "use lower-case letters, digits and hyphens");
    }
    Optional<YamlSection> root = YamlDocument.root(source, RealmYaml.KEYS);
    return new ReadRealm(source, root, root.map(section -> new RealmYaml(name, source, section).read()));
  }

  private static List<Path> realmFiles(Path root, List<Problem> problems) {
    Path realms = root.resolve(REALMS);
    try {
      List<Path> files = listing(realms);
      if (files.isEmpty()) {
        problems.add(noRealm(root));
      }
      return files;
    } catch (IOException e) {
      String remedy = "make it a directory with one NAME.yaml for each realm";
      problems.add(new Problem(realms, 0, "-", "cannot be read", remedy));
      return List.of();
    }
  }

  private static Problem noRealm(Path root) {
    Path realms = root.resolve(REALMS);
    return new Problem(realms, 0, "-", "contains no realm", "write one, like " + realms.resolve("demo.yaml"));
  }

  private static List<Path> listing(Path realms) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(realms)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        // Editors store their own files there, with names that begin with a dot or a hash.
        if ((name.endsWith(".yaml") || name.endsWith(".yml")) && !name.startsWith(".") && !name.startsWith("#")) {
          files.add(entry);
        }
      }
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    files.sort(Comparator.naturalOrder());
    return files;
  }

  /** Returns these files, the node's file and all realm files, sorted; some may be missing. */
  public List<Path> withAllRealms(Set<Path> watched) {
    Set<Path> all = new LinkedHashSet<>(watched);
    all.add(directory.resolve(NODE));
    try {
      all.addAll(listing(directory.resolve(REALMS)));
    } catch (NoSuchFileException | NotDirectoryException e) {
      // The absence of the directory is a state, too.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return all.stream().map(path -> path.toAbsolutePath().normalize()).sorted().toList();
  }
}

package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.common.realm.Realm;
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
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A configuration directory: {@code gatehouse.yaml} and {@code realms/NAME.yaml}.
 *
 * <pre>{@code
 * Configuration configuration = new ConfigurationFiles(dir, System.getenv()).load();
 * }</pre>
 */
public final class ConfigurationFiles {

  static final String NODE = "gatehouse.yaml";
  private static final String REALMS = "realms";
  private static final String REALM_NAME = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";

  private final Path directory;
  private final Map<String, String> environment;

  /** @param environment the variables for {@code ${NAME}}: {@link System#getenv()} in production */
  public ConfigurationFiles(Path directory, Map<String, String> environment) {
    this.directory = directory;
    this.environment = Map.copyOf(environment);
  }

  Path directory() {
    return directory;
  }

  /** Returns every problem, in the order of files and lines; none if the configuration can be used. */
  public List<Problem> check() {
    return read().problems();
  }

  /** Returns the configuration; throws with every problem if there is any. */
  public Configuration load() throws ConfigurationInvalid {
    return read().configuration();
  }

  /**
   * The result of reading.
   *
   * @param nodeFiles changes with the content of the files that {@code gatehouse.yaml} names; a comment in that file does
   *     not change it
   * @param files every file that was read or looked for, with the content that was used
   * @param realmFiles those of the realms
   */
  record Result(
      Optional<Configuration> usable, List<Problem> problems, String nodeFiles, NamedFiles files, NamedFiles realmFiles) {

    Configuration configuration() throws ConfigurationInvalid {
      return usable.orElseThrow(() -> new ConfigurationInvalid(problems));
    }
  }

  /**
   * Reads the configuration with that text in place of the realm's file. Nothing is written, and nothing takes effect.
   *
   * @param realm its file's problems are reported, and problems between several files
   */
  public Proposal propose(String realm, String text) {
    Path file = directory.resolve(REALMS).resolve(realm + ".yaml");
    if (!realm.matches(REALM_NAME)) {
      String remedy = "use lower-case letters, digits and hyphens";
      return new Proposal(Optional.empty(), List.of(new Problem(file, 0, "-", "is not the name of a realm", remedy)), Set.of());
    }
    List<Problem> problems = new ArrayList<>();
    YamlSource nodeSource = new YamlSource(directory.resolve(NODE), environment, ConfigurationSchema::places);
    Optional<YamlSection> nodeRoot = YamlDocument.root(nodeSource, NodeYaml.KEYS);
    Optional<Node> node = nodeRoot.map(root -> new NodeYaml(root).read());
    List<ReadRealm> realms = new ArrayList<>();
    for (Path other : realmFiles(new ArrayList<>())) {
      if (!other.equals(file)) {
        realms.add(realm(new YamlSource(other, environment, ConfigurationSchema::places)));
      }
    }
    YamlSource source = new YamlSource(file, environment, ConfigurationSchema::places);
    source.files().assume(file, text.getBytes(StandardCharsets.UTF_8));
    ReadRealm proposed = realm(source);
    realms.add(proposed);
    nodeRoot.ifPresent(root -> node.ifPresent(n -> new WholeConfiguration(root, n, realms).report()));
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

  Result read() {
    List<Problem> problems = new ArrayList<>();
    return read(realms(realmFiles(problems), NamedFiles::new), problems);
  }

  /**
   * Reads files in place of those on disk; {@code gatehouse.yaml} and the files of variables stay those on disk.
   *
   * @param realmFiles their paths
   */
  Result read(Collection<Path> realmFiles, NamedFiles.Source source) {
    List<Problem> problems = new ArrayList<>();
    if (realmFiles.isEmpty()) {
      problems.add(noRealm());
    }
    return read(realms(realmFiles, () -> new NamedFiles(source)), problems);
  }

  /** Checks proposed files in place of those on disk; as {@link FileRealms#plan}, for a command that runs without the node. */
  public ProposedFiles.Plan plan(Map<String, byte[]> proposed, boolean complete) {
    NamedFiles used = read().realmFiles();
    return new ProposedFiles(this, FileTree.of(directory, used), used.followed()).plan(proposed, complete);
  }

  /** Returns the files of all realms, or of one of them, as far as they can be read. */
  public FileTree tree(Predicate<String> realmFile) {
    List<Path> files = realmFiles(new ArrayList<>()).stream().filter(file -> realmFile.test(file.getFileName().toString())).toList();
    return FileTree.of(directory, NamedFiles.union(realms(files, NamedFiles::new).stream().map(read -> read.source().files()).toList()));
  }

  private Result read(List<ReadRealm> realms, List<Problem> problems) {
    YamlSource nodeSource = new YamlSource(directory.resolve(NODE), environment, ConfigurationSchema::places);
    Optional<YamlSection> nodeRoot = YamlDocument.root(nodeSource, NodeYaml.KEYS);
    Optional<Node> node = nodeRoot.map(root -> new NodeYaml(root).read());
    nodeRoot.ifPresent(root -> node.ifPresent(n -> new WholeConfiguration(root, n, realms).report()));
    List<YamlSource> sources = Stream.concat(Stream.of(nodeSource), realms.stream().map(ReadRealm::source)).toList();
    sources.forEach(source -> collect(source, problems));
    String nodeFiles = HexFormat.of().formatHex(nodeSource.files().digestOfOthers(nodeSource.file()));
    Optional<Configuration> usable =
        node.filter(n -> problems.isEmpty()).map(n -> new Configuration(n, values(realms)));
    NamedFiles files = NamedFiles.union(sources.stream().map(YamlSource::files).toList());
    NamedFiles realmFiles = NamedFiles.union(realms.stream().map(read -> read.source().files()).toList());
    return new Result(usable, List.copyOf(problems), nodeFiles, files, realmFiles);
  }

  /** The realm of one file, as far as it could be read. */
  record ReadRealm(YamlSource source, Optional<YamlSection> root, Optional<Realm> realm) {}

  private static List<Realm> values(List<ReadRealm> realms) {
    return realms.stream().flatMap(read -> read.realm().stream()).toList();
  }

  private static void collect(YamlSource source, List<Problem> problems) {
    source.problems().stream().sorted(Comparator.comparingInt(Problem::line)).forEach(problems::add);
  }

  private List<ReadRealm> realms(Collection<Path> realmFiles, Supplier<NamedFiles> files) {
    return realmFiles.stream()
        .map(file -> realm(new YamlSource(file, environment, ConfigurationSchema::places, files.get())))
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

  private List<Path> realmFiles(List<Problem> problems) {
    Path realms = directory.resolve(REALMS);
    try {
      List<Path> files = listing(realms);
      if (files.isEmpty()) {
        problems.add(noRealm());
      }
      return files;
    } catch (IOException e) {
      String remedy = "make it a directory with one NAME.yaml for each realm";
      problems.add(new Problem(realms, 0, "-", "cannot be read", remedy));
      return List.of();
    }
  }

  private Problem noRealm() {
    Path realms = directory.resolve(REALMS);
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
  List<Path> withAllRealms(Set<Path> watched) {
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

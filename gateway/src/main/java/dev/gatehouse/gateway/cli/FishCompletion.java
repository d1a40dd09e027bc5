package dev.gatehouse.gateway.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A completion script for fish, which picocli does not write. */
final class FishCompletion {

  /** Tells which command stands before the cursor: its words without options and what follows options that have a value. */
  private static final String FUNCTION =
      """
      function __fish_%1$s_at
          set -l words (commandline -opc)
          set -e words[1]
          set -l plain
          for word in $words
              string match -q -- '-*' $word; or set -a plain $word
          end
          set -l depth (count $argv)
          test (count $plain) -ge $depth; or return 1
          test $depth -eq 0; or test "$plain[1..$depth]" = "$argv"; or return 1
          set -l next (math $depth + 1)
          not set -q plain[$next]; or not contains -- $plain[$next] (__fish_%1$s_below $argv)
      end
      """;

  private FishCompletion() {}

  static String script(CommandLine root) {
    List<String> lines = new ArrayList<>();
    String name = root.getCommandName();
    lines.add(FUNCTION.formatted(name));
    lines.add("function __fish_" + name + "_below");
    lines.add("    switch \"$argv\"");
    below(root, "", lines);
    lines.add("    end");
    lines.add("end");
    lines.add("");
    lines.add("complete -c " + name + " -e");
    commands(name, root, "", lines);
    return String.join("\n", lines);
  }

  private static void below(CommandLine command, String path, List<String> lines) {
    if (command.getSubcommands().isEmpty()) {
      return;
    }
    lines.add("        case " + quoted(path));
    lines.add("            string split ' ' " + quoted(String.join(" ", command.getSubcommands().keySet())));
    command.getSubcommands().forEach((name, sub) -> below(sub, (path + " " + name).strip(), lines));
  }

  private static void commands(String name, CommandLine command, String path, List<String> lines) {
    String at = "complete -c " + name + " -n " + quoted(("__fish_" + name + "_at " + path).strip());
    for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
      lines.add(at + " -f -a " + quoted(sub.getKey()) + " -d " + quoted(description(sub.getValue().getCommandSpec())));
    }
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        lines.add(at + option(option));
      }
    }
    command.getSubcommands().forEach((sub, below) -> commands(name, below, (path + " " + sub).strip(), lines));
  }

  private static String option(OptionSpec option) {
    StringBuilder line = new StringBuilder();
    for (String name : option.names()) {
      line.append(name.startsWith("--") ? " -l " + quoted(name.substring(2)) : " -s " + quoted(name.substring(1)));
    }
    if (option.arity().max() > 0) {
      line.append(option.arity().min() > 0 ? " -r" : "");
      if (option.completionCandidates() != null) {
        String candidates = StreamSupport.stream(option.completionCandidates().spliterator(), false).collect(Collectors.joining(" "));
        line.append(" -f -a ").append(quoted(candidates));
      }
    }
    return line + " -d " + quoted(option.description().length == 0 ? "" : first(option.description()[0]));
  }

  private static String description(CommandSpec spec) {
    String[] lines = spec.usageMessage().description();
    return lines.length == 0 ? "" : first(lines[0]);
  }

  /** Returns the first sentence, without picocli's variables. */
  private static String first(String text) {
    return text.replaceAll("\\$\\{[^}]*}", "…").replace("%%", "%").replaceAll("(?s)[.:;] .*", "").replaceAll("\\.$", "");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}

import Files
import TestSupport
import TestTools
import Testing

@testable import Gateway

@Suite("The web app's modules as one", .timeLimit(.minutes(3)))
struct ModuleBundleTests {
    private static let modules = [
        "main.js": """
        // Where everything begins.
        import { double } from "./math.js";
        import {
          say as tell, WORD,
        } from "./words.js";

        tell(`${WORD} ${double(4)}`);
        """,
        "math.js": """
        import { log } from "./words.js";
        /** @type {(x: number) => number} */
        export const double = (x) => 2 * x;
        export async function later() {}
        log("math");
        """,
        "words.js": """
        export class Word {}
        export function say(text) {}
        export const WORD = "export it";
          export_ = "not at the beginning of a line";
        export const log = say;
        """,
        "theme.js": "export default 'not needed by the first module';",
    ]

    @Test("run in the order of their imports, each in a function of its own")
    func joined() throws {
        let whole = try #require(try ModuleBundle(Self.modules).files["main.js"])
        #expect(
            whole == """
                export const modules = {};
                await window.words?.come;
                modules["words.js"] = (() => {
                class Word {}
                function say(text) {}
                const WORD = "export it";
                  export_ = "not at the beginning of a line";
                const log = say;
                return { Word, say, WORD, log };
                })();
                modules["math.js"] = (() => {
                const { log } = modules["words.js"];
                const double = (x) => 2 * x;
                async function later() {}
                log("math");
                return { double, later };
                })();
                modules["main.js"] = (() => {
                const { double } = modules["math.js"];
                const { say: tell, WORD } = modules["words.js"];

                tell(`${WORD} ${double(4)}`);
                return {  };
                })();

                """)
    }

    @Test("are found under their own paths, but for those that the first one doesn't need")
    func paths() throws {
        let files = try ModuleBundle(Self.modules).files
        #expect(files.keys.sorted() == ["main.js", "math.js", "words.js"])
        #expect(
            files["math.js"] == """
                import { modules } from "/modules/main.js";
                export const { double, later } = modules["math.js"];

                """)
    }

    @Test("are two when some come later: the second has what the first lacks")
    func later() throws {
        var modules = Self.modules
        modules["pages.js"] = """
            import { double } from "./math.js";
            import { form } from "./form.js";
            export const pages = { form, double };
            """
        modules["form.js"] = "import { say } from \"./words.js\";\nexport const form = () => say(1);"
        let files = try ModuleBundle(modules).files
        #expect(files["main.js"] == (try ModuleBundle(Self.modules).files["main.js"]))
        #expect(
            files["pages.js"] == """
                import { modules } from "/modules/main.js";
                modules["form.js"] = (() => {
                const { say } = modules["words.js"];
                const form = () => say(1);
                return { form };
                })();
                modules["pages.js"] = (() => {
                const { double } = modules["math.js"];
                const { form } = modules["form.js"];
                const pages = { form, double };
                return { pages };
                })();
                export const { pages } = modules["pages.js"];

                """)
        #expect(
            files["form.js"] == """
                import "/modules/pages.js";
                import { modules } from "/modules/main.js";
                export const { form } = modules["form.js"];

                """)
    }

    @Test("may be in folders, and are known by their paths")
    func folders() throws {
        let files = try ModuleBundle([
            "main.js": "import { draw } from \"./map/draw.js\";\ndraw();",
            "map/draw.js": """
            import { say } from "../ground/words.js";
            import { line } from "./line.js";
            export const draw = async () => {
              const { fill } = await import("../pages.js");
            };
            """,
            "map/line.js": "export const line = 1;",
            "pages.js": "import { line } from \"./map/line.js\";\nexport const fill = line;",
            "ground/words.js": "export const say = 1;",
        ]).files
        #expect(files.keys.sorted() == ["ground/words.js", "main.js", "map/draw.js", "map/line.js", "pages.js"])
        let main = try #require(files["main.js"])
        #expect(main.contains("const { say } = modules[\"ground/words.js\"];"))
        #expect(main.contains("const { line } = modules[\"map/line.js\"];"))
        #expect(main.contains("await import(\"/modules/pages.js\");"))
        #expect(files["pages.js"]?.contains("const { line } = modules[\"map/line.js\"];") == true)
    }

    @Test("of a worker are one that needs no other")
    func worker() throws {
        let files = try ModuleBundle([
            "main.js": "import { line } from \"./paint/line.js\";\nline();",
            "paint/line.js": "export const line = () => 1;",
            "paint/painter.js": "import { line } from \"./line.js\";\nexport const drawn = { line };\nline();",
        ]).files
        #expect(
            files["paint/painter.js"] == """
                const modules = {};
                modules["paint/line.js"] = (() => {
                const line = () => 1;
                return { line };
                })();
                modules["paint/painter.js"] = (() => {
                const { line } = modules["paint/line.js"];
                const drawn = { line };
                line();
                return { drawn };
                })();
                export const { drawn } = modules["paint/painter.js"];

                """)
        #expect(files["paint/line.js"]?.contains("main.js") == true)
    }

    @Test("are served so")
    func served() async throws {
        let web = TemporaryFolder()
        try web.write("<!doctype html>", to: "index.html")
        try DiskFile.makeFolder(web.file("modules"))
        try web.write("import { one } from \"./one.js\";\none();\n", to: "modules/main.js")
        try web.write("export const one = () => 1;\n", to: "modules/one.js")
        try web.write("plain();\n", to: "modules/theme.js")
        try await RunningGateway.with(settings: ["--web", web.path, "--libraries", "none"]) { gateway in
            let main = try await gateway.http.ask("GET", "/modules/main.js")
            #expect(main["content-type"] == "text/javascript; charset=utf-8")
            #expect(main.text.contains("const one = () => 1;"))
            #expect(try await gateway.http.ask("GET", "/modules/one.js").text.hasPrefix("import { modules } from"))
            #expect(try await gateway.http.ask("GET", "/modules/theme.js").text == "plain();\n")
        }
    }

    @Test("are left alone without a first one")
    func none() throws {
        #expect(try ModuleBundle(["theme.js": "export default 1;"]).files.isEmpty)
        let folder = TemporaryFolder()
        #expect(try ModuleBundle(folder: folder.path).files.isEmpty)
        #expect(try ModuleBundle(folder: folder.path + "/modules").files.isEmpty)
    }

    @Test(
        "are refused in another form, with the line and what is allowed",
        arguments: [
            ("\nexport default 1;", "main.js: line 2: export default 1; is not allowed"),
            ("export let state = 1;", "main.js: line 1: export let state = 1; is not allowed"),
            ("export const { a } = b;", "main.js: line 1: export const { a } = b; is not allowed"),
            ("import all from \"./all.js\";", "main.js: line 1: import all from \"./all.js\"; is not allowed"),
            ("import \"./all.js\";", "main.js: line 1: import \"./all.js\"; is not allowed"),
            ("import {\n a\n} from \"https://example.org/a.js\";", "main.js: line 3: import { a} from"),
            ("import { a } from \"../a.js\";", "main.js: line 1: import { a } from \"../a.js\"; is not allowed"),
            ("import { a } from \"./../b.js\";", "main.js: line 1: import { a } from \"./../b.js\"; is not allowed"),
            ("const a = import(\"https://a/b.js\");", "main.js: line 1: const a = import(\"https://a/b.js\"); is not"),
            ("import { a } from \"./a.js\"", "main.js: import { a } from \"./a.js\" has no end"),
            ("import { a } from \"./a.js\";", "main.js: it imports a.js, which is not there"),
            ("import { a } from \"./b.js\";", "main.js imports b.js imports main.js: in a circle"),
        ])
    func refused(text: String, problem: String) {
        let error = #expect(throws: WebModule.Problem.self) {
            try ModuleBundle(["main.js": text, "b.js": "import { c } from \"./main.js\";"])
        }
        #expect(error?.description.hasPrefix(problem) == true, "\(String(describing: error))")
    }
}

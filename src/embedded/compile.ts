// Compiles all programs for their next starts and runs none of them: all modules are compiled before the first import
// is evaluated, and that one ends the process. A program that finds its modules compiled needs no compiler.
import './stop-here.ts'
import './start.ts'
import './demo/main.ts'
import './service/main.ts'
import '../service/main.ts'
import '../service/worker.ts'
import '../proxy/main.ts'
import '../mail/delivery.ts'
